// Package doctor looks at what a run depends on, before it: the server and what
// it can leak, the models, the room for the prompts. It reads and changes
// nothing, and says for everything that is not right which command mends it.
package doctor

// Package infer holds what is asked of a model and what it answers: the exact
// messages with their pictures, every option that is sent, the reply, and the
// ways in which asking can fail. It knows no network; infer/ollama does.
//
// # Outcomes
//
// What the model did is a [Response], whatever it says. What the machine did is
// a [Fault]: a timeout, a dead runner, a refused picture. A Response is scored;
// a Fault never is.
package infer

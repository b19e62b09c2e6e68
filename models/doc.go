// Package models knows vision models from the outside: what a server says of
// one ([Facts]), how its family sees pictures ([Profile]), and how many tokens
// of context a prompt can need ([Profile.Bounds], [Window]).
package models

//go:build tools

// Package tools pins what an Ollama server is built from: its own Go module,
// and malgo for the one C header (miniaudio.h) that the module leaves out.
package tools

import (
	_ "github.com/gen2brain/malgo"
)

// Package icl arranges demonstrations: it orders them, puts in ones that do not
// belong, and says whose picture a query gets where its own is taken away. It
// changes what is shown and never what is asked or what is right.
package icl

// Package codec decodes frames of DICOM that are compressed in ways that the
// standard library does not read.
package codec

// Package dicomtest writes DICOM files for tests: any transfer syntax without
// compression but RLE and deflate, any bits, sign, colours and planes. It takes
// nothing from the package that reads them, so that the two check each other.
package dicomtest

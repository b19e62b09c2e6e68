package source

import (
	"fmt"
	"sync"

	"lightbox/bench/source/parquet"
	"lightbox/infer"
)

// vault knows where pictures stand in Parquet files, by their digests: pictures
// that are equal are one. It holds one page of each file.
type vault struct {
	mu     sync.Mutex
	places map[string]slot // by reference
}

// slot is the cell that holds a picture.
type slot struct {
	path   string
	cursor *parquet.Cursor
	row    int64
}

// keep notes a picture and gives the reference to it.
func (v *vault) keep(data []byte, s slot) string {
	reference := string(infer.DigestOf(data))
	if v.places == nil {
		v.places = map[string]slot{}
	}
	if _, ok := v.places[reference]; !ok {
		v.places[reference] = s
	}
	return reference
}

// has tells whether a reference is one to a picture.
func (v *vault) has(reference string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, ok := v.places[reference]
	return ok
}

// open reads a picture; ok tells whether the reference is one to it.
func (v *vault) open(reference string) (data []byte, ok bool, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	s, ok := v.places[reference]
	if !ok {
		return nil, false, nil
	}
	cell, err := s.cursor.At(s.row)
	if err != nil {
		return nil, true, &PictureError{fmt.Sprintf("of row %d", s.row+1), "not readable in the Parquet file", err}
	}
	picture, _ := cell.([]byte)
	if string(infer.DigestOf(picture)) != reference {
		return nil, true, &PictureError{fmt.Sprintf("of row %d", s.row+1), "changed in the Parquet file", nil}
	}
	return append([]byte(nil), picture...), true, nil
}

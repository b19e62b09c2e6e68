package source

import (
	"fmt"
	"slices"
	"sync"

	"lightbox/bench/source/parquet"
	"lightbox/infer"
)

// vault knows where pictures stand in Parquet files, by their digests: pictures
// that are equal are one. It holds some of a page of the files used last.
type vault struct {
	mu     sync.Mutex
	places map[string]slot   // by reference
	warm   []*parquet.Cursor // the one used last at the end
}

// maxWarm is how many files the vault holds some of: demonstrations and
// questions come from two.
const maxWarm = 2

// slot is the cell that holds a picture.
type slot struct {
	cursor *parquet.Cursor
	row    int64
}

// keep notes where a picture stands, unless it is known from elsewhere.
func (v *vault) keep(reference string, s slot) {
	if v.places == nil {
		v.places = map[string]slot{}
	}
	if _, ok := v.places[reference]; !ok {
		v.places[reference] = s
	}
}

// use lets go of what is held of the file that was not used for longest, where
// another is used and there are too many.
func (v *vault) use(c *parquet.Cursor) {
	if i := slices.Index(v.warm, c); i >= 0 {
		v.warm = slices.Delete(v.warm, i, i+1)
	} else if len(v.warm) == maxWarm {
		v.warm[0].Release()
		v.warm = slices.Delete(v.warm, 0, 1)
	}
	v.warm = append(v.warm, c)
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
	v.use(s.cursor)
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

package dicom

// Size is the size in pixels of the picture that Render makes, and the shape of
// its pixels, from the header alone.
func (f *File) Size(frame Choice) (width, height int, aspect float64, err error) {
	return (&film{
		noun: "frame", n: f.Len(), options: Options{Frame: frame},
		open: func(i int) (*File, int, error) { return f, i, nil },
	}).size()
}

// Size is the size in pixels of the picture that Render makes, and the shape of
// its pixels, from the headers alone.
func (s *Series) Size(open func(i int) (*File, error), frame Choice) (width, height int, aspect float64, err error) {
	if len(s.Order) == 1 {
		f, err := open(s.Order[0])
		if err != nil {
			return 0, 0, 0, err
		}
		return f.Size(frame)
	}
	return (&film{
		noun: "slice", n: len(s.Order), options: Options{Frame: frame},
		open: func(i int) (*File, int, error) {
			f, err := open(s.Order[i])
			return f, 0, err
		},
	}).size()
}

// size is that of the first pick, or of a sheet of such.
func (m *film) size() (width, height int, aspect float64, err error) {
	if m.picks, err = m.options.Frame.Pick(m.n); err != nil {
		return 0, 0, 0, err
	}
	f, frame, err := m.open(m.picks[0])
	if err != nil {
		return 0, 0, 0, m.within(m.picks[0], err)
	}
	d, err := f.displayOf(frame)
	if err != nil {
		return 0, 0, 0, m.within(m.picks[0], err)
	}
	m.setAspect(d.pixelAspect())
	width, height = f.Header.Columns, f.Header.Rows
	if n := len(m.picks); n > 1 {
		columns := across(n)
		rows := (n + columns - 1) / columns
		s := sheet{shrink: shrinkOf(columns*width, rows*height)}
		width, height = columns*s.small(width), rows*s.small(height)
	}
	return width, height, m.aspect, nil
}

// shrinkOf is by how much a sheet is scaled down.
func shrinkOf(width, height int) int {
	return max(1, (width+maxSheet-1)/maxSheet, (height+maxSheet-1)/maxSheet)
}

package dicom_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/preprocess/dicom"
	"lightbox/preprocess/dicom/dicomtest"
)

// functions are the formulas of PS3.3, C.11.2, before rounding.
var functions = map[string]func(x, c, w float64) float64{
	"": linear, "LINEAR": linear,
	"LINEAR_EXACT": func(x, c, w float64) float64 {
		if x <= c-w/2 {
			return 0
		} else if x > c+w/2 {
			return 255
		}
		return ((x-c)/w + 0.5) * 255
	},
	"SIGMOID": func(x, c, w float64) float64 { return 255 / (1 + math.Exp(-4*(x-c)/w)) },
}

func linear(x, c, w float64) float64 {
	if x <= c-0.5-(w-1)/2 {
		return 0
	} else if x > c-0.5+(w-1)/2 {
		return 255
	}
	return ((x-(c-0.5))/(w-1) + 0.5) * 255
}

// TestWindowFunctions checks every value of 16 bits: signed ones from -1024 by a
// rescale, fractional and negative slopes, windows of the file.
func TestWindowFunctions(t *testing.T) {
	tests := []struct {
		name             string
		c, w             string
		cf, wf           float64
		slope, intercept string
		k, m             float64
		signed           bool
	}{
		{"stored values", "2000", "3000", 2000, 3000, "1", "0", 1, 0, false},
		{"hounsfield", "40", "400", 40, 400, "1", "-1024", 1, -1024, false},
		{"hounsfield signed", "-600", "1500", -600, 1500, "1", "-1024", 1, -1024, true},
		{"fractional", "50.5", "350.25", 50.5, 350.25, "0.0152", "-10.5", 0.0152, -10.5, false},
		{"falling", "0", "20000", 0, 20000, "-1", "100", -1, 100, true},
		{"narrow", "40", "1", 40, 1, "1", "0", 1, 0, true},
		{"two", "40", "2", 40, 2, "1", "0", 1, 0, true},
	}
	for _, tt := range tests {
		for function, formula := range functions {
			t.Run(tt.name+" "+function, func(t *testing.T) {
				first := 0
				if tt.signed {
					first = -1 << 15
				}
				f := dicomtest.File{Rows: 256, Columns: 256, Signed: tt.signed, Pixels: ramp(first, 1<<16)}
				f.More = append(windows(tt.c, tt.w, function), rescale(tt.slope, tt.intercept)...)
				got := pixels(t, render(t, f.Bytes(), dicom.Options{}).Image)
				for i, v := range f.Pixels {
					want := math.Floor(formula(float64(v)*tt.k+tt.m, tt.cf, tt.wf) + 0.5)
					if float64(got[i]) != want {
						t.Fatalf("value %d: %d, want %v", v, got[i], want)
					}
				}
			})
		}
	}
}

// TestPresets checks every value of a CT by the window's formula.
func TestPresets(t *testing.T) {
	want := map[string][2]float64{
		"brain": {40, 80}, "subdural": {75, 215}, "stroke": {40, 40}, "lung": {-600, 1500}, "mediastinum": {50, 350},
		"abdomen": {40, 400}, "liver": {60, 160}, "bone": {500, 2000}, "12.5/300": {12.5, 300},
	}
	f := dicomtest.File{Rows: 64, Columns: 64, Stored: 12, Pixels: ramp(0, 4096), More: rescale("1", "-1024")}
	f.More = append(append(f.More, windows("0", "10", "SIGMOID")...), dicomtest.Element{Tag: 0x00080060, VR: "CS", Value: "CT"})
	for name, w := range want {
		r := render(t, f.Bytes(), dicom.Options{Window: window(t, name)})
		for i, got := range pixels(t, r.Image) {
			if want := math.Floor(linear(float64(i-1024), w[0], w[1]) + 0.5); float64(got) != want {
				t.Fatalf("%s of %d: %d, want %v", name, i-1024, got, want)
			}
		}
		if len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "window "+name) {
			t.Errorf("%s: notes %q", name, r.Notes)
		}
	}
}

func TestMedGemmaWindow(t *testing.T) {
	f := dicomtest.File{Rows: 1, Columns: 7, Stored: 12, More: rescale("1", "-1024")}
	for _, hu := range []int{-1024, -135, 0, 40, 80, 215, 1024} {
		f.Pixels = append(f.Pixels, hu+1024)
	}
	r := render(t, f.Bytes(), dicom.Options{Window: window(t, "medgemma")})
	want := [][3]byte{{0, 0, 0}, {111, 0, 0}, {128, 98, 0}, {132, 128, 128}, {137, 157, 255}, {154, 255, 255}, {255, 255, 255}}
	if diff := cmp.Diff(want, colours(t, r.Image)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"window medgemma: red -1024..1024, green -135..215, blue 0..80"}, r.Notes); diff != "" {
		t.Error(diff)
	}
}

// TestTwins renders MONOCHROME1 files, which must be exact negatives.
func TestTwins(t *testing.T) {
	f := dicomtest.File{Rows: 16, Columns: 256, Stored: 12, Pixels: ramp(0, 4096), More: append(windows("600", "1600", ""), rescale("1", "-1024")...)}
	f.More = append(f.More, dicomtest.Element{Tag: 0x00280120, VR: "US", Value: []int{0}})
	for _, w := range []string{"file", "auto", "lung", "medgemma", "100/50"} {
		f.Photometric = "MONOCHROME2"
		two := pixels(t, render(t, f.Bytes(), dicom.Options{Window: window(t, w)}).Image)
		f.Photometric = "MONOCHROME1"
		r := render(t, f.Bytes(), dicom.Options{Window: window(t, w)})
		one := pixels(t, r.Image)
		for i := range two {
			if alpha := len(one) > 4096 && i%4 == 3; !alpha && one[i] != 255-two[i] {
				t.Fatalf("%s: pixel %d is %d and %d", w, i, two[i], one[i])
			}
		}
		if got := said(r.Notes); !strings.Contains(got, "inverted, as MONOCHROME1") {
			t.Errorf("notes %q", got)
		}
	}
}

// lutItem is an item of a LUT sequence.
func lutItem(vr string, first, bits int, entries ...int) []dicomtest.Element {
	return []dicomtest.Element{
		{Tag: 0x00283002, VR: vr, Value: []int{len(entries), first, bits}},
		{Tag: 0x00283006, VR: "US", Value: entries},
	}
}

func TestTables(t *testing.T) {
	modality := func(item []dicomtest.Element) dicomtest.Element { return dicomtest.Sequence(0x00283000, item) }
	voi := func(item []dicomtest.Element) dicomtest.Element { return dicomtest.Sequence(0x00283010, item, item) }
	tests := []struct {
		name   string
		file   dicomtest.File
		window string
		want   []byte
		note   string
	}{
		{
			"modality",
			dicomtest.File{More: []dicomtest.Element{modality(lutItem("US", 1, 16, 5, 100, 7))}},
			"128/256",
			[]byte{5, 5, 100, 7, 7, 7},
			"window 128/256 LINEAR",
		},
		{
			"modality signed",
			dicomtest.File{Signed: true, More: []dicomtest.Element{modality(lutItem("SS", -2, 8, 5, 100, 7))}},
			"128/256",
			[]byte{7, 7, 7, 7, 7, 7},
			"window 128/256 LINEAR; nothing but one grey is to be seen",
		},
		{
			"voi",
			dicomtest.File{More: []dicomtest.Element{voi(lutItem("US", 1, 10, 0, 1023, 512, 341))}},
			"file",
			[]byte{0, 0, 255, 128, 85, 85},
			"file table 1 of 2 (VOI LUT of 4 entries of 10 bits)",
		},
		{
			"voi behind a rescale",
			dicomtest.File{More: append(rescale("2", "-4"), voi(lutItem("SS", -4, 8, 10, 20, 30, 40, 50, 60, 70)))},
			"file",
			[]byte{10, 30, 50, 70, 70, 70},
			"file table 1 of 2 (VOI LUT of 7 entries of 8 bits)",
		},
		{
			"voi behind a table, of values with a sign",
			dicomtest.File{Signed: true, More: []dicomtest.Element{
				modality(lutItem("SS", 0, 16, 40000, 40001, 40002, 40003, 40004, 40005)), voi(lutItem("US", 40001, 8, 10, 20, 30, 40)),
			}},
			"file",
			[]byte{10, 10, 20, 30, 40, 40},
			"file table 1 of 2 (VOI LUT of 4 entries of 8 bits)",
		},
		{
			"voi behind a table, its first value with a sign",
			dicomtest.File{Signed: true, More: []dicomtest.Element{
				modality(lutItem("SS", 0, 16, 40000, 40001, 40002, 40003, 40004, 40005)), voi(lutItem("SS", 40001-1<<16, 8, 10, 20, 30, 40)),
			}},
			"file",
			[]byte{10, 10, 20, 30, 40, 40},
			"file table 1 of 2 (VOI LUT of 4 entries of 8 bits)",
		},
		{
			"window before voi",
			dicomtest.File{More: append(windows("2", "3", ""), voi(lutItem("US", 0, 8, 9)))},
			"file",
			[]byte{0, 64, 191, 255, 255, 255},
			"file window 1 of 1 2/3 LINEAR, before the file's table (VOI LUT)",
		},
		{
			"no table in the sequence",
			dicomtest.File{More: []dicomtest.Element{dicomtest.Sequence(0x00283010)}},
			"file",
			[]byte{0, 51, 102, 153, 204, 255},
			"no window in the file that can be used; automatic window 0..5, the 0.5 to 99.5 percentile",
		},
	}
	for _, tt := range tests {
		for _, syntax := range []string{dicomtest.ExplicitLittle, dicomtest.ImplicitLittle, dicomtest.ExplicitBig} {
			t.Run(tt.name+" "+syntax, func(t *testing.T) {
				f := tt.file
				f.Syntax, f.Rows, f.Columns, f.Pixels = syntax, 1, 6, ramp(0, 6)
				r := render(t, f.Bytes(), dicom.Options{Window: window(t, tt.window)})
				if diff := cmp.Diff(tt.want, pixels(t, r.Image)); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff(tt.note, said(r.Notes)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestAutomaticWindow(t *testing.T) {
	// 1000 pixels from 100 to 300, of which five at either end do not count: four
	// are far away.
	spread := make([]int, 1000)
	for i := range spread {
		spread[i] = 100 + i*200/999
	}
	for i := range 4 {
		spread[i], spread[999-i] = 0, 60000
	}
	padded := append(ramp(10, 100), make([]int, 400)...)
	few := make([]int, 1000)
	few[7] = 9
	tests := []struct {
		name   string
		pixels []int
		more   []dicomtest.Element
		want   string
	}{
		{"percentiles", spread, nil, "automatic window 101..298, the 0.5 to 99.5 percentile"},
		{"rescaled", spread, rescale("-0.5", "10"), "automatic window -139..-40.5, the 0.5 to 99.5 percentile"},
		{"padding", padded, []dicomtest.Element{{Tag: 0x00280120, VR: "US", Value: []int{0}}}, "automatic window 10..109, the 0.5 to 99.5 percentile"},
		{"padding range", padded, []dicomtest.Element{
			{Tag: 0x00280120, VR: "US", Value: []int{0}},
			{Tag: 0x00280121, VR: "US", Value: []int{19}},
		}, "automatic window 20..109, the 0.5 to 99.5 percentile"},
		{"only padding", make([]int, 50), []dicomtest.Element{{Tag: 0x00280120, VR: "US", Value: []int{0}}}, "automatic window 0..0, the 0.5 to 99.5 percentile; all values are the same"},
		{"a small object", few, nil, "automatic window 0..9, the 0.5 to 99.5 percentile; 99.9 % of it is black"},
	}
	for _, tt := range tests {
		for _, allocated := range []int{16, 32} {
			f := dicomtest.File{Rows: 1, Columns: len(tt.pixels), Allocated: allocated, Pixels: tt.pixels, More: tt.more}
			r := render(t, f.Bytes(), dicom.Options{Window: window(t, "auto")})
			if diff := cmp.Diff(tt.want, said(r.Notes)); diff != "" {
				t.Errorf("%s: %s", tt.name, diff)
			}
		}
	}
}

func TestFileWindowNotes(t *testing.T) {
	ct := dicomtest.Element{Tag: 0x00080060, VR: "CS", Value: "CT"}
	explain := func(s string) dicomtest.Element { return dicomtest.Element{Tag: 0x00281055, VR: "LO", Value: s} }
	none := "no window in the file that can be used; automatic window 0..3, the 0.5 to 99.5 percentile"
	tests := []struct {
		name, window string
		more         []dicomtest.Element
		want         string
	}{
		{"named", "file", append(windows(`40\500`, `80\2000`, ""), explain(`BRAIN\BONE`)), "file window 1 of 2 (BRAIN) 40/80 LINEAR"},
		{"unreadable name", "file", append(windows(`40`, `80`, "SIGMOID"), explain("M\xfcller^Hans")), "file window 1 of 1 40/80 SIGMOID"},
		{"second", "file", windows(`40\-0.5`, `0\1`, ""), "file window 1 of 2 left out: its width is below 1; file window 2 of 2 -0.5/1 LINEAR; nothing but white is to be seen"},
		{"unknown function", "file", windows(`40`, `80`, "CUBIC"), "file window 1 of 1 left out: its function is none of DICOM; " + none},
		{"empty", "file", windows("", "", ""), none},
		{"cut off", "file", windows(`40\`, `80\`, ""), "file window 1 of 2 40/80 LINEAR"},
		{"decimal comma", "file", windows(`1,5\1`, `3\3`, ""), "file window 1 of 2 left out: it is not two numbers; file window 2 of 2 1/3 LINEAR"},
		{"infinite", "file", windows("1e999", "1", ""), "file window 1 of 1 left out: it is not two numbers; " + none},
		{"a name in a modality", "brain", []dicomtest.Element{{Tag: 0x00080060, VR: "CS", Value: "DOE"}}, "window brain 40/80 LINEAR; window brain is for CT, but the modality is OT"},
		{"a name among the words", "file", append(windows(`40`, `80`, ""), explain("Brain Doe")), "file window 1 of 1 40/80 LINEAR"},
		{"words", "file", append(windows(`40`, `80`, ""), explain("SOFT_TISSUE 2")), "file window 1 of 1 (SOFT_TISSUE 2) 40/80 LINEAR"},
		{"preset of another modality", "brain", []dicomtest.Element{{Tag: 0x00080060, VR: "CS", Value: "MR"}}, "window brain 40/80 LINEAR; window brain is for CT, but the modality is MR"},
		{"preset without rescale", "brain", []dicomtest.Element{ct}, "window brain 40/80 LINEAR; window brain is for CT, but the file has no rescale: its values are taken as Hounsfield units"},
		{"preset of CT", "brain", append(rescale("1", "-1024"), ct), "window brain 40/80 LINEAR; nothing but black is to be seen"},
	}
	for _, tt := range tests {
		f := dicomtest.File{Rows: 1, Columns: 4, Pixels: ramp(0, 4), More: tt.more}
		r := render(t, f.Bytes(), dicom.Options{Window: window(t, tt.window)})
		if diff := cmp.Diff(tt.want, said(r.Notes)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestParseWindow(t *testing.T) {
	for text, want := range map[string]dicom.Window{
		"": {Name: "file"}, "file": {Name: "file"}, "auto": {Name: "auto"}, "medgemma": {Name: "medgemma"},
		"lung": {"lung", -600, 1500}, "40/400": {Center: 40, Width: 400}, "-0.5/1": {Center: -0.5, Width: 1},
	} {
		got, err := dicom.ParseWindow(text)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		if again, err := dicom.ParseWindow(got.String()); err != nil || again != want {
			t.Errorf("%q: written as %q, read as %+v, %v", text, got.String(), again, err)
		}
	}
	for _, text := range []string{"brian", "40", "40/", "/", "40/0", "40/-3", "NaN/4", "4/Inf", "1/2/3", " lung"} {
		_, err := dicom.ParseWindow(text)
		if err == nil {
			t.Errorf("%q is taken", text)
			continue
		}
		if text == "brian" && !strings.Contains(err.Error(), "medgemma, brain 40/80, subdural 75/215") {
			t.Errorf("%q: %v lists nothing", text, err)
		}
	}
}

// TestBeyondMeasure: what is no number, or so large that values cannot be told
// apart, gives no picture, or not in silence.
func TestBeyondMeasure(t *testing.T) {
	f := dicomtest.File{Rows: 4, Columns: 4, Signed: true, Pixels: ramp(-8, 16)}
	for _, r := range [][2]string{{"1e308", "0"}, {"-1e308", "0"}, {"1", "1e308"}, {"1e300", "1e300"}, {"1", "1e30"}, {"5e-324", "1"}} {
		f.More = append(rescale(r[0], r[1]), windows("0", "16", "")...)
		for _, w := range []string{"file", "auto", "lung", "0/9"} {
			if err := refused(t, f.Bytes(), dicom.Options{Window: window(t, w)}); !strings.Contains(err.Error(), "make no values that can be told apart") {
				t.Errorf("rescale %v: %v", r, err)
			}
		}
	}
	const auto = "no window in the file that can be used"
	tests := []struct{ center, width, function, want string }{
		{"0", "1e300", "", "no picture has values as large; " + auto},
		{"-1e308", "1.7e308", "SIGMOID", "no picture has values as large; " + auto},
		{"1e13", "400", "LINEAR_EXACT", "no picture has values as large; " + auto},
		{"0", "1e-320", "SIGMOID", "its width is next to 0; " + auto},
		{"0", "1e-320", "LINEAR_EXACT", "its width is next to 0; " + auto},
		{"5000", "1", "", "nothing but black is to be seen"},
		{"-5000", "400", "", "nothing but white is to be seen"},
		{"0", "1e12", "", "nothing but one grey is to be seen"},
	}
	for _, tt := range tests {
		f.More = windows(tt.center, tt.width, tt.function)
		if got := said(render(t, f.Bytes(), dicom.Options{}).Notes); !strings.Contains(got, tt.want) {
			t.Errorf("window %v: %q, want %q", tt, got, tt.want)
		}
	}
	f.More, f.Frames, f.Pixels = windows("0", "400", ""), 2, append(f.Pixels, make([]int, 16)...)
	if got := said(render(t, f.Bytes(), dicom.Options{Frame: dicom.Choice{Grid: 2}}).Notes); !strings.Contains(got, "frame 2: nothing but one grey is to be seen") || strings.Contains(got, "frame 1:") {
		t.Errorf("notes of a sheet: %q", got)
	}
	for _, w := range []string{"1e308/1e308", "0/1e300", "1e13/400", "NaN/1", "1/NaN", "Inf/3", "40/1e-320", "40/0", "40/-3"} {
		if got, err := dicom.ParseWindow(w); err == nil {
			t.Errorf("window %s is read as %v", w, got)
		}
	}
}

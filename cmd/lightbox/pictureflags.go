package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"lightbox/preprocess"
	"lightbox/preprocess/dicom"
)

const groupPicture = "the picture"

// pictureFlags are the options that say how pictures are prepared.
func pictureFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "max-side", Category: groupPicture, Usage: "`PX` of the longer side at most; unless given, what the model sees"},
		&cli.IntFlag{Name: "min-side", Category: groupPicture, Usage: "`PX` of the shorter side at least, padded in black; unless given, what the model needs"},
		&cli.StringFlag{Name: "fit", Category: groupPicture, Value: string(preprocess.Keep), Usage: "`HOW` pictures are brought within --max-side: keep their aspect (default), pad to a black square, or squash to a square as some servers do"},
		&cli.StringFlag{Name: "window", Category: groupPicture, Value: "file", Usage: "`W` of DICOM: file (default: the file's own, else as auto), auto (0.5 to 99.5 percentile), CENTRE/WIDTH (of 16-bit PNG and TIFF too), or for CT " + strings.Join(dicom.WindowNames()[2:], ", ")},
		&cli.StringFlag{Name: "frame", Category: groupPicture, Value: "middle", Usage: "`N` of the frames of a DICOM file or the slices of a series; middle (default), or grid for a sheet of 16, grid:N of N"},
		&cli.BoolFlag{Name: "image-budget", Category: groupPicture, Usage: "make pictures smaller until every prompt fits the model's context, or --num-ctx"},
		&cli.StringFlag{Name: "image-format", Category: groupPicture, Value: string(preprocess.Auto), Usage: "`FORMAT` sent: png, jpeg, or auto (default): as it is where nothing is changed, else png"},
		&cli.StringSliceFlag{Name: "mask", Category: groupPicture, Usage: "`X,Y,W,H` of a rectangle to make black, in pixels of the picture before it is scaled, in every frame of a sheet; can be given several times, with = before it"},
		&cli.BoolFlag{Name: "allow-burned-in", Category: groupPicture, Usage: "take DICOM files that say that text is burned into them; it can name a patient"},
	}
}

// recipeOf is how the options say that pictures are prepared.
func recipeOf(c *cli.Context) (preprocess.Recipe, error) {
	hint := explained(c)
	r := preprocess.Recipe{
		MaxSide: c.Int("max-side"), MinSide: c.Int("min-side"), Fit: preprocess.Fit(c.String("fit")), Format: preprocess.Format(c.String("image-format")),
		AllowBurnedIn: c.Bool("allow-burned-in"),
	}
	for _, name := range []string{"max-side", "min-side"} {
		if c.IsSet(name) && c.Int(name) < 1 {
			return r, usage(hint, "--%s %d: want 1 or more", name, c.Int(name))
		}
	}
	if err := oneOf(c, "fit", string(preprocess.Keep), string(preprocess.Pad), string(preprocess.Squash)); err != nil {
		return r, err
	}
	if err := oneOf(c, "image-format", string(preprocess.Auto), string(preprocess.PNG), string(preprocess.JPEG)); err != nil {
		return r, err
	}
	var err error
	if r.Window, err = dicom.ParseWindow(c.String("window")); err != nil {
		return r, usage(hint, "--window: %w", err)
	}
	if r.Frame, err = dicom.ParseChoice(c.String("frame")); err != nil {
		return r, usage(hint, "--frame: %w", err)
	}
	masks, err := masksOf(c.StringSlice("mask"))
	if err != nil {
		return r, usage(hint, "--mask: %w", err)
	}
	r.Masks = masks
	if err := r.Validate(); err != nil {
		return r, usage(hint, "%w", err)
	}
	return r, nil
}

// masksOf reads masks. The library splits values at commas, so that one mask
// comes as four numbers.
func masksOf(parts []string) ([]preprocess.Mask, error) {
	var masks []preprocess.Mask
	for len(parts) > 0 {
		n := min(4, len(parts))
		m, err := preprocess.ParseMask(strings.Join(parts[:n], ","))
		if err != nil {
			return nil, err
		}
		masks = append(masks, m)
		parts = parts[n:]
	}
	return masks, nil
}

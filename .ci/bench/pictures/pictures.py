"""The work of pictures.go with Pillow, pydicom and numpy."""

import glob
import io
import os
import platform
import sys

import numpy
import PIL
import pydicom
from PIL import Image

if sys.argv[1] == "version":
    print(f"Python {platform.python_version()}, Pillow {PIL.__version__}, pydicom {pydicom.__version__}, numpy {numpy.__version__}")
    sys.exit()

path, side, times = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
paths = sorted(glob.glob(os.path.join(path, "*"))) if os.path.isdir(path) else [path]
files = [(p, open(p, "rb").read()) for p in paths]


def windowed(data):
    """The linear window of the file, rounded to grey levels."""
    ds = pydicom.dcmread(io.BytesIO(data))
    values = ds.pixel_array * float(ds.RescaleSlope) + float(ds.RescaleIntercept)
    c, w = float(ds.WindowCenter), float(ds.WindowWidth)
    grey = ((values - (c - 0.5)) / (w - 1) + 0.5) * 255
    return Image.fromarray(numpy.clip(numpy.rint(grey), 0, 255).astype(numpy.uint8))


for _ in range(times):
    for name, data in files:
        if name.endswith(".dcm"):
            image = windowed(data)
        else:
            image = Image.open(io.BytesIO(data))
            image.load()
        if side == 0:
            continue
        long = max(image.size)
        if long > side:
            image = image.resize([max(1, round(n * side / long)) for n in image.size], Image.LANCZOS)
        image.save(io.BytesIO(), "png", compress_level=1)

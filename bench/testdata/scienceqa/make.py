"""Writes data/*.parquet, a data set in the layout of ScienceQA on Hugging Face:
eight questions of a test split in Snappy, three a row group, and four of a train
split in Zstandard, in pages of version 2. Texts and pictures are made up.

    pip install pyarrow==26.0.1 pillow==13.0.0
    python make.py
"""

import io
import os

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image


def picture(i):
    img = Image.new("RGB", (30 + i, 24))
    img.putdata([(x * 5 % 256, y * (i + 3) % 256, 40 * i % 256) for y in range(24) for x in range(30 + i)])
    out = io.BytesIO()
    img.save(out, "PNG")
    return {"bytes": out.getvalue(), "path": "image.png"}


subjects = ["natural science", "social science", "language science"]


def row(i, choices, answer, hint, image):
    return {
        "image": picture(i) if image else None,
        "question": f"Question {i}: which one?",
        "choices": choices,
        "answer": answer,
        "hint": hint,
        "task": "closed choice",
        "grade": f"grade{i + 2}",
        "subject": subjects[i % 3],
        "topic": f"topic {i % 2}",
        "category": "made up",
        "skill": "Choose",
        "lecture": "" if i % 2 else "A lecture.\nOf two lines.",
        "solution": "",
    }


test = [
    row(0, ["red", "blue"], 1, "", True),
    row(1, ["one", "two", "three"], 0, "Count.\nTwice.", False),
    row(2, ["yes", "no"], 1, "", False),
    row(3, ["a", "b", "c", "d"], 3, "Look.", True),
    row(4, ["a", "b", "c", "d", "e"], 4, "", False),
    row(5, ["blå", "grøn"], 0, "", True),
    row(6, ["same", "other"], 0, "A hint.", True),
    row(7, ["up", "down"], 1, "", False),
]
train = [
    row(20, ["old", "new"], 0, "", True),
    row(21, ["hot", "cold", "wet"], 2, "Feel.", False),
    row(22, ["in", "out"], 1, "", True),
    row(6, ["same", "other"], 1, "", True),
]
test[7]["image"] = {"bytes": None, "path": None}  # as null as no picture

schema = pa.schema(
    [
        ("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
        ("question", pa.string()),
        ("choices", pa.list_(pa.string())),
        ("answer", pa.int8()),
        *[(name, pa.string()) for name in ("hint", "task", "grade", "subject", "topic", "category", "skill", "lecture", "solution")],
    ]
)
os.makedirs("data", exist_ok=True)
for name, rows, options in (
    ("test-00000-of-00001-0123456789abcdef", test, {"compression": "snappy", "row_group_size": 3}),
    ("train-00000-of-00001-fedcba9876543210", train, {"compression": "zstd", "data_page_version": "2.0", "row_group_size": 2}),
):
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), f"data/{name}.parquet", **options)

"""Writes data/{train,test}-00000-of-00001.parquet for the card
bench/card/testdata/example.json: made-up questions in the layout that the
datasets library uses.

    pip install pyarrow==26.0.1 pillow==13.0.0
    python make.py
"""

import io
import os

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image


def picture(i):
    if i is None:
        return None
    img = Image.new("L", (40 + i, 32))
    img.putdata([(x * (i + 2) + y * 5) % 256 for y in range(32) for x in range(40 + i)])
    out = io.BytesIO()
    img.save(out, "PNG")
    return {"bytes": out.getvalue(), "path": f"bone-{i}.png"}


SPLITS = {
    "test": [
        ("t1", 0, "Which bone?", ["ulna", "radius"], 1, "", "p1", "grade1"),
        ("t2", 1, "Which side?", ["left", "right", "both"], 0, "seen from behind", "p2", "grade2"),
        ("t3", None, "How many carpal bones?", ["eight", "ten"], 0, "", None, "grade1"),
        ("t4", 2, "Which joint?", ["hip", "knee"], None, None, "p4", "grade2"),
    ],
    "train": [
        ("r1", 0, "Which bone is it?", ["ulna", "radius"], 1, "", "p9", "grade1"),
        ("r2", 3, "Which side is it?", ["left", "right"], 1, "", "p2", "grade1"),
        ("r3", 4, "Which joint is it?", ["hip", "knee"], 1, "", "p8", "grade2"),
        ("r4", 5, "Which end?", ["upper", "lower"], 0, "", "p7", "grade2"),
        ("r5", 6, "Which finger?", ["first", "fifth"], None, "", "p6", "grade2"),
    ],
}

os.makedirs("data", exist_ok=True)
for split, rows in SPLITS.items():
    ids, pictures, questions, choices, answers, hints, patients, grades = zip(*rows)
    table = pa.table(
        {
            "choices": pa.array(choices, pa.list_(pa.string())),
            "picture": pa.array([picture(i) for i in pictures], pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
            "id": pa.array(ids),
            "question": pa.array(questions),
            "answer": pa.array(answers, pa.int8()),
            "hint": pa.array(hints, pa.string()),
            "patient": pa.array(patients, pa.string()),
            "grade": pa.array(grades),
        }
    )
    pq.write_table(table, f"data/{split}-00000-of-00001.parquet", row_group_size=2)

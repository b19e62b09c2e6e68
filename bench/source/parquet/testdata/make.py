"""Writes the Parquet files of this directory, and cells.json with what they hold.

    pip install pyarrow==26.0.1
    python make.py

Every file holds the same table, written in another way. In cells.json bytes
stand as {"bytes": HEX}.
"""

import hashlib
import json

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 40


def noise(i):
    return hashlib.sha256(b"%d" % i).digest() * (i % 3 + 1)


rows = []
for i in range(ROWS):
    rows.append(
        {
            "id": f"row-{i // 3:04d}",
            "text": None if i % 7 == 3 else f"answer {i % 5} \u00e9\n",
            "whole": i * (-1) ** i * 1_000_003,
            "small": None if i % 11 == 5 else i % 4,
            "part": None if i == 8 else i / 4,
            "truth": None if i % 5 == 2 else i % 2 == 0,
            "image": None
            if i == 6
            else {"bytes": None if i % 9 == 4 else noise(i % 12), "path": None if i % 2 else f"{i}.png"},
            "choices": None if i % 10 == 1 else [None if (i + j) % 6 == 5 else f"c{j}-{i % 3}" for j in range(i % 4)],
            "nothing": None,
        }
    )

schema = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("text", pa.string()),
        pa.field("whole", pa.int64()),
        pa.field("small", pa.int8()),
        pa.field("part", pa.float64()),
        pa.field("truth", pa.bool_()),
        pa.field("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
        pa.field("choices", pa.list_(pa.string())),
        pa.field("nothing", pa.string()),
    ]
)
table = pa.Table.from_pylist(rows, schema=schema)

delta = {
    "id": "DELTA_BYTE_ARRAY",
    "text": "DELTA_LENGTH_BYTE_ARRAY",
    "whole": "DELTA_BINARY_PACKED",
    "small": "DELTA_BINARY_PACKED",
    "truth": "RLE",
    "image.bytes": "DELTA_LENGTH_BYTE_ARRAY",
}
files = {
    "snappy.parquet": {"compression": "snappy"},
    "plain.parquet": {"compression": "none", "use_dictionary": False, "write_page_checksum": True},
    "gzip-groups.parquet": {"compression": "gzip", "row_group_size": 17, "write_page_index": True},
    "zstd-pages.parquet": {"compression": "zstd", "data_page_version": "2.0", "data_page_size": 64, "write_batch_size": 7},
    "delta.parquet": {"compression": "snappy", "use_dictionary": False, "column_encoding": delta, "data_page_version": "2.0"},
    "split-pages.parquet": {"compression": "none", "data_page_size": 64, "write_batch_size": 5},
    "brotli.parquet": {"compression": "brotli"},
    "streams.parquet": {"use_dictionary": False, "column_encoding": {"part": "BYTE_STREAM_SPLIT"}},
}
for name, options in files.items():
    pq.write_table(table, name, **options)


def cell(v):
    return {"bytes": v.hex()} if isinstance(v, bytes) else v


cells = {}
for name in schema.names:
    column = [r[name] for r in rows]
    if name == "image":
        for part in ("bytes", "path"):
            cells[f"image.{part}"] = [cell(v[part]) if v else None for v in column]
    elif name == "choices":
        cells["choices.list.element"] = column
    else:
        cells[name] = column
with open("cells.json", "w") as f:
    json.dump(cells, f, indent=None, separators=(",", ":"))
    f.write("\n")

"""Writes hub/data/train-00000-of-00001.parquet as the datasets library does it
for a data set in the layout of SMMILE: three problems of ten panels, one of them
without a picture. Texts and pictures are made up.

    pip install datasets==5.2.0 pillow==13.0.0
    python make.py
"""

import io

import datasets
from PIL import Image


def picture(i):
    img = Image.new("L", (24 + i, 20))
    img.putdata([(x * (i + 2) + y * 5) % 256 for y in range(20) for x in range(24 + i)])
    out = io.BytesIO()
    img.save(out, "PNG")
    return {"bytes": out.getvalue(), "path": f"panel-{i}.png"}


flags = {
    "c": ("radiology", "free response", "CT", "classification/diagnosis", "common", "hard"),
    "a": ("dermatology", "binary(yes/no)", "Photograph", "classification/diagnosis", None, "medium"),
    "b": ("radiology", "numerical", "X-Ray", "regression/quantitative", "uncommon", "hard"),
}
panels = [
    ("c", 1, "Which lobe?", "upper lobe ", 0),
    ("c", 2, "Which lobe?", "lower lobe", 1),
    ("a", 3, "Is it healed?\n", "No", 2),
    ("a", 1, "Is it healed?", "Yes", 3),
    ("a", 2, "Is it healed?", "No", 3),
    ("c", 3, "Which lobe?", "upper lobe ", 4),
    ("b", 10, "How many?", "3", 5),
    ("b", 9, "How many?", "2", None),
    ("b", 2, "How many?", "2", 6),
    ("b", 1, "How many?", "3", 0),
]
names = ("speciality", "flag_answer_format", "flag_image_type", "flag_cognitive_process", "flag_rarity", "flag_difficulty_llms")
rows = [
    {
        "problem_id": problem,
        "order": order,
        "image": None if image is None else picture(image),
        "image_url": f"picture {image}",
        "question": question,
        "answer": answer,
        **dict(zip(names, flags[problem])),
    }
    for problem, order, question, answer, image in panels
]
data = datasets.Dataset.from_list(rows).cast_column("image", datasets.Image())
data.to_parquet("hub/data/train-00000-of-00001.parquet")

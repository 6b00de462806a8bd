#!/usr/bin/env python3
"""The figures of the vector kernels in the documents, from what `cutlet bench --json` wrote.

    tables.py SOURCE            prints each text of tables.txt with its figures
    tables.py --check SOURCE    fails where a document has another figure, or another text
    tables.py --update SOURCE   writes the figures into the documents

SOURCE is the folder of the project. tables.txt, beside this file, holds texts: `== DOCUMENT`, then
what the document says, where {TERM} or {TERM / TERM} stands for a figure. A TERM is RUN:KERNEL, the
GB/s of a kernel in a run of bench/data, or RUN:KERNEL.of_memcpy, .speedup, .memcpy (the GB/s of the
memcpy beside it); of a run of widths KERNEL is the width, for arrays of 512 MiB; of PyTorch what
and its type. {TERM / TERM .2} has two digits behind the point.
"""

import csv
import json
import os
import re
import sys

VECTOR = {"vector": "h200_vector.json", "half-gib": "h200_vector_512.json",
          "shift4": "h200_vector_512_shift4.json", "shift2": "h200_vector_512_shift2.json"}
WIDTH = {"many": "h200_width.json", "one": "h200_width_one.json", "loop": "h200_width_loop.json"}
HALF_GIB = 512 * 2**20
FIGURE = re.compile(r"\{([^{}]+)\}")


def read_runs(source):
    """(run, kernel) -> its row: gb_s, and of_memcpy, speedup, memcpy where there are such."""
    def load(name):
        with open(os.path.join(source, "bench", "data", name), encoding="utf-8") as file:
            return json.load(file)["results"]

    rows = {}
    for run, name in VECTOR.items():
        for row in load(name):
            small = row["group"] == "layer-norm"
            row["memcpy"] = row["gb_s"] / row["of_memcpy"]
            rows["small" if small else run, row["kernel"]] = row
    for run, name in WIDTH.items():
        for row in load(name):
            if row["bytes"] == HALF_GIB:
                rows[run, str(row["width"]) if row["width"] else "memcpy"] = row
    path = os.path.join(source, "bench", "data", "h200_torch_vector.tsv")
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    for row in csv.DictReader(lines, delimiter="\t"):
        rows["torch", f"{row['what']} {row['type']}"] = {"gb_s": float(row["GB/s"])}
    return rows


def figure(rows, text):
    """What {text} stands for."""
    digits = re.search(r" \.(\d)$", text)
    values = []
    for term in (text[:digits.start()] if digits else text).split(" / "):
        name, _, key = term.partition(".")
        key = key or "gb_s"
        values.append(float(rows[tuple(name.split(":"))][key]))
    default = {"gb_s": 0, "memcpy": 0, "of_memcpy": 3, "speedup": 2}[key] if len(values) == 1 else 3
    value = values[0] if len(values) == 1 else values[0] / values[1]
    return f"{value:.{int(digits.group(1)) if digits else default}f}"


def read_texts():
    """(document, text) for each text."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tables.txt")
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"^== (\S+)\n", file.read(), flags=re.MULTILINE)
    return [(parts[i], parts[i + 1].strip("\n")) for i in range(1, len(parts), 2)]


def pattern(text):
    """What finds the text in a document, whatever its figures are, and however lines are broken,
    those of a quotation too."""
    words = [r"[\s>]+".join(re.escape(word) for word in re.split(r"\s+", part))
             for part in FIGURE.split(text)[::2]]
    return re.compile(r"(\d+(?:\.\d+)?)".join(words))


def replaced(found, figures):
    """A text that was found, with these figures."""
    text, at = "", found.start()
    for i, value in enumerate(figures, 1):
        text += found.string[at:found.start(i)] + value
        at = found.end(i)
    return text + found.string[at:found.end()]


def main():
    mode = sys.argv[1] if sys.argv[1:2] in (["--check"], ["--update"]) else ""
    if len(sys.argv) != (3 if mode else 2) or sys.argv[-1].startswith("-"):
        sys.exit(__doc__)
    source, wrong = sys.argv[-1], 0
    rows = read_runs(source)
    for document, text in read_texts():
        figures = [figure(rows, name) for name in FIGURE.findall(text)]
        if not mode:
            print(f"== {document}\n" + FIGURE.sub(lambda _, f=iter(figures): next(f), text) + "\n")
            continue
        path = os.path.join(source, document)
        with open(path, encoding="utf-8") as file:
            whole = file.read()
        found = pattern(text).search(whole)
        if not found:
            sys.exit(f"tables.py: {document} does not say: {text}")
        if mode == "--update":
            with open(path, "w", encoding="utf-8") as file:
                file.write(whole[:found.start()] + replaced(found, figures) + whole[found.end():])
        else:
            for has, wanted in zip(found.groups(), figures):
                if has != wanted:
                    wrong += 1
                    print(f"{document}: {has}, where bench/data have {wanted}, in: {text[:200]}")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())

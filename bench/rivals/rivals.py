#!/usr/bin/env python3
"""What other tools answer about the cost of memory accesses, beside cutlet and the hardware.

    python3 -m venv VENV; VENV/bin/pip install tensor-layouts==0.3.2 triton==3.6.0 numpy
    VENV/bin/python rivals.py --ask LIBCUTLET.so >../data/rivals.tsv    each tool, each layout
    rivals.py --patterns >../../tests/data/rivals_patterns.tsv         what a GPU is to run
    rivals.py --table [--hardware COUNTERS.tsv ...]                    markdown, from rivals.tsv

The layouts are those of layouts.tsv. --ask needs the packages, no GPU; the other two need nothing.
What is asked, what it means and which parts are run stands in ask_*.py. COUNTERS has the columns
of tests/data/h200_one_warp.tsv; its rows are found by kind, bits and offsets, and it may be the
patterns with their counters filled in. Ends with status 1 where cutlet is not as the counters.
"""

import argparse
import csv
import os
import re
import sys

import pattern
import table

HERE = os.path.dirname(os.path.abspath(__file__))
LAYOUTS = os.path.join(HERE, "layouts.tsv")
RECORD = os.path.join(HERE, "../data/rivals.tsv")
COLUMNS = ("layout", "kind", "bits",
           "tl_answer", "tl_wavefronts", "tl_conflict_free", "tl_lines", "tl_efficiency",
           "tl_finer_answer", "tl_finer",
           "triton_answer", "triton_conflicts", "triton_wavefronts",
           "visualiser_answer", "visualiser_sectors",
           "sectors", "lines", "wavefronts", "conflicts", "bytes_used")
VERSIONS = re.compile(r"tensor-layouts (?P<tl>\S+), Triton (?P<triton>\S+)")
PATTERNS_HEAD = """\
# Patterns for the counters of one warp executing one instruction, in the columns of
# h200_one_warp.tsv, the counters still empty: a row for each row of bench/rivals/layouts.tsv, in
# its order. Written by bench/rivals/rivals.py --patterns.
"""
RECORD_HEAD = """\
# What tensor-layouts {tl}, Triton {triton} and the web visualisers answer about one instruction of
# one warp, and cutlet (the last five columns), a row for each row of bench/rivals/layouts.tsv.
# Empty: it has no answer, or there is no such thing to ask about. Written by
# bench/rivals/rivals.py --ask; bench/rivals/ask_*.py says what the answers mean, how they were had.
"""


def number(value):
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def record_of(p, model):
    """The row of a pattern: every tool is asked."""
    import ask_tensor_layouts
    import ask_triton
    import ask_visualiser

    tl, triton, page = ask_tensor_layouts.ask(p), ask_triton.ask(p), ask_visualiser.ask(p)
    triton = triton or {"words": "no count" if p.is_global else "cannot be asked: not linear"}
    own = model.count(p)
    passes = (None, None) if p.is_global else (own.wavefronts, own.conflicts)
    moved = (own.sectors, own.lines) if p.is_global else (None, None)
    return [p.name, p.kind, p.bits,
            tl["words"], tl.get("wavefronts"), tl.get("conflict_free"), tl.get("lines"),
            tl.get("efficiency"), tl["finer_words"], tl["finer"],
            triton["words"], triton.get("conflicts"), triton.get("wavefronts"),
            page["words"], page.get("sectors"), *moved, *passes, own.bytes_used]


def ask(library):
    import ask_tensor_layouts
    import ask_triton
    import cutlet

    model = cutlet.Model(library)
    sys.stdout.write(RECORD_HEAD.format(tl=ask_tensor_layouts.version(),
                                        triton=ask_triton.version()))
    print("\t".join(COLUMNS))
    for p in pattern.read(LAYOUTS):
        print("\t".join(number(value) for value in record_of(p, model)), flush=True)


def key_of(p):
    return p.kind, str(p.bits), ",".join(str(byte) for byte in p.bytes)


def patterns():
    sys.stdout.write(PATTERNS_HEAD)
    for p in pattern.read(LAYOUTS):
        print("\t".join(key_of(p)) + "\t" * 5)


def counters(paths):
    """Kind, bits and offsets -> requests, sectors, wavefronts, conflicts; others are left out."""
    found = {}
    for path in paths:
        with open(path) as file:
            for row in csv.reader((line for line in file if line[0] != "#"), delimiter="\t"):
                if len(row) != 8:
                    sys.exit(f"rivals.py: {path}: a row has {len(row)} columns, not 8")
                if any(row[4:]):
                    found[tuple(row[:3])] = [int(n) if n else None for n in row[4:]]
    return found


def read_record():
    """The recorded answers, checked to be those of layouts.tsv, and the versions that gave them."""
    with open(RECORD) as file:
        versions = VERSIONS.search(file.read())
        file.seek(0)
        rows = list(csv.DictReader((line for line in file if line[0] != "#"), delimiter="\t"))
    asked = pattern.read(LAYOUTS)
    if [row["layout"] for row in rows] != [p.name for p in asked]:
        sys.exit(f"rivals.py: {RECORD} is not of the layouts of {LAYOUTS}: run --ask again")
    return rows, asked, versions.groupdict()


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = options.add_mutually_exclusive_group(required=True)
    what.add_argument("--ask", metavar="LIBCUTLET.so")
    what.add_argument("--patterns", action="store_true")
    what.add_argument("--table", action="store_true")
    options.add_argument("--hardware", metavar="COUNTERS.tsv", nargs="+", default=[])
    chosen = options.parse_args()
    if chosen.ask:
        ask(chosen.ask)
    elif chosen.patterns:
        patterns()
    else:
        rows, asked, versions = read_record()
        known = counters(chosen.hardware)
        return table.show(rows, asked, [known.get(key_of(p)) for p in asked], versions)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Draws what plan.py measured: for each case, how much faster than others a copy plan is.

    plot.py FIGURES.json [--svg FILE.svg] [--markdown]

--svg draws bars by case, a column for each rival, on a scale of powers of 2: right of the line at 1
the plan is faster. --markdown prints the documents' table.
"""

import argparse
import html
import json
import math
import statistics

import table

NAMES = {"numpy": "NumPy copyto", "memcpy": "memcpy", "torch": "PyTorch copy_",
         "cccl": "CCCL cudax::copy", "measure": "effort measure"}
WIDTH, ROW, TOP, LABELS, PANEL, GAP, NUMBER = 1000, 15, 108, 300, 200, 30, 34

STYLE = """
#plans text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}
#plans text{font-size:11px}
#plans text.title{font-size:18px;font-weight:600}#plans text.name{font-weight:600;font-size:12px}
#plans .mid{text-anchor:middle}#plans .end{text-anchor:end}
#plans .page{fill:#ffffff}#plans text{fill:#1f2328}#plans text.soft{fill:#57606a}
#plans .grid{stroke:#b4bcc6;stroke-width:.6}#plans .one{stroke:#1f2328;stroke-width:1.2}
#plans .faster{fill:#2282a5}#plans .slower{fill:#b3541e}#plans .band{fill:#f1f3f6}
@media (prefers-color-scheme:dark){
#plans .page{fill:#0d1117}#plans text{fill:#e6edf3}#plans text.soft{fill:#9aa4af}
#plans .grid{stroke:#454d57}#plans .one{stroke:#f0f3f6}
#plans .faster{fill:#4aa8cc}#plans .slower{fill:#e08a52}#plans .band{fill:#171c24}
}
"""


def ratios(data):
    """Of each case, its name, GB/s and by rival how many times as fast the plan is."""
    cccl = table.cccl() if "H200" in data["about"]["device"] else {}
    for row in data["results"]:
        rate = table.rates(row)
        ours = table.best_of(rate)
        if not ours:
            continue
        others = {name: rate.get(name) for name in ("numpy", "memcpy", "torch")}
        others["cccl"] = cccl.get(row["name"])
        if "estimate" in rate and "measure" in rate:
            others["measure"] = rate["measure"]
        yield row, ours, {name: ours / other for name, other in others.items() if other}


def label(row):
    """A case in a few words; of a permutation its shape, the order of its modes, an element's bytes."""
    if not row["name"].startswith("permute_"):
        return row["name"].replace("_", " ")
    shape, order, size = row["name"].split("_")[1:]
    return f"{shape.replace('x', '×')} to {order}, {size} B"


def text(x, y, words, kind=""):
    """A line of text."""
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{kind}>{html.escape(words)}</text>'


def powers(values):
    """The powers of 2 around some ratios and 1."""
    low = math.floor(min(0, *(math.log2(v) for v in values)))
    high = math.ceil(max(0, *(math.log2(v) for v in values)))
    return low, max(high, low + 1)


def panel(x, name, rows, bottom):
    """The bars against one rival."""
    values = [r[name] for _, _, r in rows if name in r]
    low, high = powers(values)
    width = PANEL - NUMBER

    def at(ratio):
        return x + width * (math.log2(ratio) - low) / (high - low)
    out = [text(x, TOP - 30, NAMES[name], "name")]
    for power in range(low, high + 1):
        place = at(2.0 ** power)
        out.append(f'<line x1="{place:.1f}" x2="{place:.1f}" y1="{TOP - 6}" y2="{bottom}" '
                   f'class="{"one" if power == 0 else "grid"}"/>')
        if (power - low) % max(1, math.ceil((high - low) / 6)) == 0 or power == 0:
            out.append(text(place, TOP - 12, f"{2.0 ** power:g}", "mid soft"))
    for k, (_, _, ratio) in enumerate(rows):
        if name not in ratio:
            continue
        left, right = sorted((at(1), at(ratio[name])))
        y = TOP + k * ROW
        kind = "faster" if ratio[name] >= 1 else "slower"
        out.append(f'<rect x="{left:.1f}" y="{y + 3}" width="{max(right - left, 0.8):.1f}" '
                   f'height="{ROW - 6}" class="{kind}"/>')
        out.append(text(max(right, at(1)) + 4, y + ROW - 4, f"{ratio[name]:.2f}", "soft"))
    return out


def draw(data):
    """The whole picture."""
    rows = list(ratios(data))
    names = [name for name in NAMES if any(name in ratio for _, _, ratio in rows)]
    width = max(WIDTH, LABELS + len(names) * (PANEL + GAP))
    bottom = TOP + ROW * len(rows) + 4
    below = bottom + 30
    about = data["about"]
    versions = [f"{name} {about[key]}" for key, name in
                (("numpy", "NumPy"), ("torch", "PyTorch"), ("driver", "driver")) if about.get(key)]
    said = (f"{about['device']}; {', '.join(versions)}; medians of {data['options']['rounds']} rounds "
            "in turn")
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" id="plans" role="img" viewBox="0 0 {width} '
           f'{below}" width="{width}" height="{below}">',
           "<title>Copy plans beside others</title>", f"<desc>{html.escape(said)}</desc>",
           f"<style>{STYLE}</style>", f'<rect class="page" width="{width}" height="{below}"/>',
           text(12, 28, "How many times as fast as others a copy plan is", "title"),
           text(12, 48, said, "soft")]
    for k in range(0, len(rows), 2):
        out.append(f'<rect class="band" x="8" y="{TOP + k * ROW}" width="{width - 16}" '
                   f'height="{ROW}"/>')
    out.append(text(12, bottom + 16, "4×3×2 to 201, 8 B: a permutation of a shape's modes, and the bytes "
                    "of an element", "soft"))
    out.append(text(LABELS - 14, TOP - 30, "GB/s", "name end"))
    for k, (row, ours, _) in enumerate(rows):
        y = TOP + k * ROW + ROW - 4
        out.append(text(12, y, label(row)))
        out.append(text(LABELS - 14, y, rate(ours), "end soft"))
    for k, name in enumerate(names):
        out += panel(LABELS + k * (PANEL + GAP), name, rows, bottom)
    return "\n".join(out + ["</svg>", ""])


def rate(value):
    """GB/s with as many digits as say something."""
    return f"{value:.1f}" if value < 1000 else f"{value:.0f}"


def markdown(data):
    """The table of the documents: the listed cases one by one, the permutations together."""
    rows = list(ratios(data))
    names = [name for name in NAMES if any(name in ratio for _, _, ratio in rows)]
    lines = ["| case | GB/s | " + " | ".join(f"of {NAMES[name]}" for name in names) + " |",
             "|---|---|" + "---|" * len(names)]

    def add(name, figure, cells):
        lines.append(f"| {name} | {figure} | " + " | ".join(cells) + " |")
    for row, ours, ratio in rows:
        if not row["name"].startswith("permute_"):
            add(row["name"], rate(ours),
                [f"{ratio[name]:.2f}" if name in ratio else "" for name in names])
    permuted = [entry for entry in rows if entry[0]["name"].startswith("permute_")]
    if permuted:
        for word, pick in (("least", min), ("median", statistics.median)):
            some = {name: [e[2][name] for e in permuted if name in e[2]] for name in names}
            add(f"{len(permuted)} permutations, {word}", rate(pick(e[1] for e in permuted)),
                [f"{pick(some[name]):.2f}" if some[name] else "" for name in names])
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("figures")
    parser.add_argument("--svg", help="the picture's file")
    parser.add_argument("--markdown", action="store_true", help="print a table")
    args = parser.parse_args()
    with open(args.figures, encoding="ascii") as lines:
        data = json.load(lines)
    if not any(True for _ in ratios(data)):
        parser.exit(1, f"plot.py: {args.figures} has no figures of plans\n")
    if args.svg:
        with open(args.svg, "w", encoding="utf-8") as out:
            out.write(draw(data))
    if args.markdown:
        print(markdown(data))


if __name__ == "__main__":
    main()

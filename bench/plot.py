#!/usr/bin/env python3
"""Draws what benchmarks measured, as SVG: the one plotter of benchmarks.

    plot.py FILE --svg FILE.svg

FILE is what `cutlet-bench width --tsv` printed (GB/s over the size of the array, a line for each width), or what
bench/plan/plan.py wrote (for each case and rival a bar: how many times as fast a plan is).
"""

import argparse
import html
import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LIGHT = {"page": "#ffffff", "ink": "#1f2328", "soft": "#57606a", "grid": "#b4bcc6", "strong": "#1f2328", "band": "#f1f3f6",
         "faster": "#2282a5", "slower": "#b3541e"}
DARK = {"page": "#0d1117", "ink": "#e6edf3", "soft": "#9aa4af", "grid": "#454d57", "strong": "#f0f3f6", "band": "#171c24",
        "faster": "#4aa8cc", "slower": "#e08a52"}
LINES = {0: ("#6e7781", "#8b949e"), 1: ("#b3541e", "#e08a52"), 2: ("#8250df", "#b083f0"), 4: ("#1a7f37", "#57ab5a"),
         8: ("#0969da", "#539bf5"), 16: ("#cf222e", "#f47067"), 32: ("#9a6700", "#c69026")}


def text(x, y, words, kind=""):
    """A line of text."""
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{kind}>{html.escape(words)}</text>'


def rules(colors, which):
    """The style in one theme."""
    return (f".page{{fill:{colors['page']}}}.band{{fill:{colors['band']}}}text{{fill:{colors['ink']}}}text.soft{{fill:{colors['soft']}}}"
            f".grid{{stroke:{colors['grid']};stroke-width:.6}}.one{{stroke:{colors['strong']};stroke-width:1.2}}"
            f".faster{{fill:{colors['faster']}}}.slower{{fill:{colors['slower']}}}" +
            "".join(f".w{w}{{stroke:{pair[which]};fill:none;stroke-width:2}}text.w{w}{{stroke:none;fill:{pair[which]}}}"
                    for w, pair in LINES.items()) + ".w0{stroke-dasharray:6 4}")


def svg(width, height, title, words, lines):
    """A picture that follows the reader's light or dark colours."""
    style = ("text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;font-size:11px}"
             "text.title{font-size:18px;font-weight:600}text.name{font-weight:600;font-size:12px}.mid{text-anchor:middle}"
             ".end{text-anchor:end}")
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<title>{html.escape(title)}</title>\n<desc>{html.escape(words)}</desc>",
        f"<style>{style}\n{rules(LIGHT, 0)}\n@media (prefers-color-scheme:dark){{{rules(DARK, 1)}}}</style>",
        f'<rect class="page" width="{width}" height="{height}" rx="6"/>', text(12, 28, title, "title"), text(12, 48, words, "soft"),
        *lines, "</svg>", ""])


# ---- GB/s over the size of the array ---------------------------------------------------------------


def read_width(path):
    """What a run says of itself, and width -> [(bytes, GB/s)]."""
    about, lines, names = {}, {}, None
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line.startswith("# "):
                name, _, value = line[2:].partition(": ")
                about[name] = value
            elif names is None:
                names = line.split("\t")
            else:
                row = dict(zip(names, line.split("\t")))
                if row.get("gb_s"):
                    lines.setdefault(int(row["width"]), []).append((int(row["bytes"]), float(row["gb_s"])))
    return about, lines


def size(count):
    """Bytes as people read them."""
    unit = min(int(math.log2(count)) // 10, 3)
    return f"{count / 1024**unit:g} {('bytes', 'KiB', 'MiB', 'GiB')[unit]}"


def name_of(width):
    """A line of the picture."""
    return "memcpy" if width == 0 else f"{width} byte" + "s" * (width > 1)


def draw_width(path):
    """The picture of a run."""
    about, lines = read_width(path)
    if not lines:
        raise SystemExit(f"plot.py: {path} has no rates: a run without a GPU has counts alone")
    sizes = sorted({x for points in lines.values() for x, _ in points})
    most = max(max(y for _, y in points) for points in lines.values())
    most = max(most, float(about.get("peak_gb_s", 0)))
    left, right, top, bottom = 60, 880, 84, 430
    low, high = math.log2(sizes[0]), max(math.log2(sizes[-1]), math.log2(sizes[0]) + 1)
    at = lambda x, y: (left + (right - left) * (math.log2(x) - low) / (high - low), bottom - (bottom - top) * y / (1.05 * most))
    out = []
    for k in range(0, int(1.05 * most) + 1, 1000 if most > 2000 else 250):
        y = at(sizes[0], k)[1]
        out += [f'<line class="grid" x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>', text(left - 8, y + 4, str(k), "end soft")]
    for x in sizes[::2]:
        out.append(text(at(x, 0)[0], bottom + 18, size(x), "mid soft"))
    if "peak_gb_s" in about:
        y = at(sizes[0], float(about["peak_gb_s"]))[1]
        out += [f'<line class="one" x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke-dasharray="2 4"/>',
                text(left + 6, y - 5, f"the memory's peak, {float(about['peak_gb_s']):.0f} GB/s", "soft")]
    for rank, (width, points) in enumerate(sorted(lines.items())):
        d = "L".join(f"{x:.1f} {y:.1f}" for x, y in (at(*point) for point in points))
        out += [f'<path class="w{width}" d="M{d}"/>', text(right + 10, top + 18 * rank, name_of(width), f"name w{width}")]
    out += [text((left + right) / 2, bottom + 38, "bytes of one array", "mid soft"), text(12, top - 8, "GB/s, read and written", "soft")]
    form = {"one": ", one access a thread", "loop": ", one access at a time in a loop"}.get(about.get("form"), "")
    return svg(980, 480, f"Copies by width of access{form}", f"{about.get('device', '')}; medians of {about.get('runs', '?')} runs; the same "
               "two arrays each time, every byte of every copy compared first", out)


# ---- plans beside others ---------------------------------------------------------------------------

NAMES = {"numpy": "NumPy copyto", "memcpy": "memcpy", "torch": "PyTorch copy_", "cccl": "CCCL cudax::copy", "measure": "effort measure"}
ROW, TOP, LABELS, PANEL, GAP, NUMBER = 15, 108, 300, 200, 30, 34


def ratios(data):
    """Of each case its row, GB/s and by rival how many times as fast the plan is."""
    sys.path.insert(0, os.path.join(HERE, "plan"))
    import table # pylint: disable=import-outside-toplevel,import-error
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
    shape, order, elem = row["name"].split("_")[1:]
    return f"{shape.replace('x', '×')} to {order}, {elem} B"


def panel(x, name, rows, bottom):
    """The bars against one rival, on a scale of powers of 2."""
    logs = [math.log2(r[name]) for _, _, r in rows if name in r]
    low, high = math.floor(min(0, *logs)), math.ceil(max(0, *logs))
    high, width = max(high, low + 1), PANEL - NUMBER
    at = lambda ratio: x + width * (math.log2(ratio) - low) / (high - low)
    out = [text(x, TOP - 30, NAMES[name], "name")]
    for power in range(low, high + 1):
        place = at(2.0 ** power)
        out.append(f'<line x1="{place:.1f}" x2="{place:.1f}" y1="{TOP - 6}" y2="{bottom}" class="{"one" if power == 0 else "grid"}"/>')
        if (power - low) % max(1, math.ceil((high - low) / 6)) == 0 or power == 0:
            out.append(text(place, TOP - 12, f"{2.0 ** power:g}", "mid soft"))
    for k, (_, _, ratio) in enumerate(rows):
        if name in ratio:
            left, right = sorted((at(1), at(ratio[name])))
            y = TOP + k * ROW
            out.append(f'<rect x="{left:.1f}" y="{y + 3}" width="{max(right - left, 0.8):.1f}" height="{ROW - 6}" '
                       f'class="{"faster" if ratio[name] >= 1 else "slower"}"/>')
            out.append(text(max(right, at(1)) + 4, y + ROW - 4, f"{ratio[name]:.2f}", "soft"))
    return out


def draw_plans(path):
    """The picture of plans beside others."""
    with open(path, encoding="ascii") as lines:
        data = json.load(lines)
    rows = list(ratios(data))
    if not rows:
        raise SystemExit(f"plot.py: {path} has no figures of plans")
    names = [name for name in NAMES if any(name in ratio for _, _, ratio in rows)]
    width, bottom = LABELS + len(names) * (PANEL + GAP), TOP + len(rows) * ROW
    out = [f'<rect class="band" x="8" y="{TOP + k * ROW}" width="{width - 16}" height="{ROW}"/>' for k in range(0, len(rows), 2)]
    out.append(text(12, bottom + 16, "4×3×2 to 201, 8 B: a permutation of a shape's modes, and the bytes of an element", "soft"))
    out.append(text(LABELS - 14, TOP - 30, "GB/s", "name end"))
    for k, (row, ours, _) in enumerate(rows):
        y = TOP + k * ROW + ROW - 4
        out += [text(12, y, label(row)), text(LABELS - 14, y, f"{ours:.1f}" if ours < 1000 else f"{ours:.0f}", "end soft")]
    for k, name in enumerate(names):
        out += panel(LABELS + k * (PANEL + GAP), name, rows, bottom)
    about = data["about"]
    return svg(width, bottom + 28, "How many times as fast as others a copy plan is",
               f"{about['device']}, {about['date'][:10]}; right of the line at 1 the plan is faster", out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--svg", required=True, help="the picture's file")
    args = parser.parse_args()
    drawn = draw_plans(args.file) if args.file.endswith(".json") else draw_width(args.file)
    with open(args.svg, "w", encoding="utf-8") as out:
        out.write(drawn)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""How many structures and lines without comments the kernels have, by what the headers are for.

    size.py SOURCE [BEFORE]      a table of tab-separated values: bench/data/device_size.tsv

SOURCE is the folder of the project. BEFORE is the folder of the project as it was before the one copy:
    git archive COMMIT device src/plan | tar -x -C BEFORE
A header that no part names is an error. device/gemm/ is not counted. `structures` counts `typedef struct`,
`templates` the structures of C++ by their names, specialisations once.
"""

import glob
import os
import re
import sys

# Which headers of device/ are which part: those of now, then those that had other names before. A * is any end.
PARTS = {
    "frame": "kernel.h on_grid.h static.h warp.h atoms.h load_store.h whole_tiles.h move.h",
    "tensors": "tensor.h tile_view.h thread_view.h | view.h fragment.h",
    "copy": "copy.h copy_access.h copy_any.h copy_engine.h copy_matrix.h copy_parts.h copy_paths.h | "
            "copy_careful.h copy_short.h copy_tile.h copy_view.h tile.h",
    "async": "cp_async.h bulk.h tma.h mbarrier.h cluster.h cache_hints.h prefetch.h wide.h launch_control.h "
             "pipeline_cp_async.h pipeline_tma.h",
    "matrix": "matrix.h mma_sync.h mma_loop.h wgmma.h wgmma_words.h tcgen05.h warpgroup.h",
    "elements": "element.h convert.h fast_math.h reduce.h cut.h turn.h | copy_cut.h transpose_words.h",
    "elementwise": "elementwise.h elementwise_args.h operand.h | transform.h transform_plan.h",
    "transposes": "transpose.h transpose_tiling.h best_copy.h | transpose_careful.h transpose_plan.h",
    "boxes": "box.h copy_blocks.h plan_args.h | box_plan.h",
    "own": "box_at_launch.h misaligned* chunks.h line_part.h window.h index_copy.h copy_skew.h skew_* elementwise_run.h "
           "vectors.h | window_plan.h index_plan.h copy_skewed.h run.h",
    "kernels": "kernels/*",
}


def code_of(path):
    """The lines of a file that are not blank without comments."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/',
                  lambda m: m.group(0) if m.group(0)[0] == '"' else "\n" * m.group(0).count("\n"), text, flags=re.DOTALL)
    return [line for line in text.split("\n") if line.strip()]


def part_of(name):
    """The part that a header of device/ belongs to."""
    for part, names in PARTS.items():
        for one in names.replace("|", " ").split():
            if name == one or one.endswith("*") and name.startswith(one[:-1]):
                return part
    raise SystemExit(f"size.py: device/{name} is of no part")


def count(paths):
    """(structures, templates, lines) of files."""
    code = ["\n".join(code_of(path)) for path in paths]
    named = {m.group(2) for text in code for m in
             re.finditer(r"(typedef )?struct (\w+)(?:\s*<[^{};]*?>)?\s*(?::\s*[^{};]*)?\{", text) if not m.group(1)}
    return (sum(len(re.findall(r"\btypedef struct\b", text)) for text in code), len(named),
            sum(text.count("\n") + 1 for text in code if text))


def sizes(source):
    """part -> (structures, templates, lines); `device` is all of device/, `plan` the GPU's and the grid's part of plans."""
    device = os.path.join(source, "device")
    files = {os.path.relpath(path, device): path for path in glob.glob(os.path.join(device, "**"), recursive=True)
             if path.endswith((".h", ".cu")) and "/gemm/" not in path}
    found = {part: count([path for name, path in files.items() if part_of(name) == part]) for part in PARTS}
    found["device"] = count(files.values())
    plan = [path for kind in ("cuda", "gpu", "grid") for path in
            glob.glob(os.path.join(source, "src/plan", kind + "*")) + glob.glob(os.path.join(source, "src/plan", kind, "*"))]
    found["plan"] = count([path for path in plan if path.endswith((".c", ".h"))])
    return found


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    now = sizes(sys.argv[1])
    before = sizes(sys.argv[2]) if len(sys.argv) == 3 else {}
    names = ("structures", "templates", "lines")
    print("# bench/figures/size.py SOURCE BEFORE: structures by typedef, templates of C++, lines without comments and blank lines.\n"
          "# BEFORE is the project of 22 November, before its kernels were written on the one copy.")
    print("\t".join(["part", *(f"{name}_before" for name in names if before), *names]))
    for part, numbers in now.items():
        print("\t".join([part, *map(str, before.get(part, ())), *map(str, numbers)]))


if __name__ == "__main__":
    main()

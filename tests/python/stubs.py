#!/usr/bin/env python3
"""The type hints of the package: those of its operations, made of the table that it has.

    stubs.py            compares python/pycutlet/__init__.pyi with the package that is imported
    stubs.py --update   writes its part on operations anew
"""

import itertools
import os
import re
import sys

STUB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python/pycutlet/__init__.pyi")
MARK = "# ---- operations: written by tests/python/stubs.py --update ----\n"

#: The types that a word of the table takes, beside text, which stands for any value but an integer.
TAKES = {"integer": ["int"], "mode number": ["int"], "tuple": ["IntTuple"], "layout": ["Layout", "IntTuple"],
         "tiler": ["Tiler", "Layout", "IntTuple", "tuple[Any, ...]"], "tensor": ["Tensor"],
         "tensor or a layout": ["Tensor", "Layout", "IntTuple"], "swizzle": ["Swizzle"], "copy atom": ["CopyAtom"],
         "tiled copy": ["TiledCopy"], "MMA atom": ["MMAAtom"], "tiled MMA": ["TiledMMA"], "name": ["str"]}
ORDER = ["Layout", "Tensor", "Swizzle", "Tiler", "CopyAtom", "MMAAtom", "TiledCopy", "TiledMMA", "int", "IntTuple",
         "tuple[Any, ...]", "str"]
#: The class of a word, and the operations whose coordinate stands before what it is one of.
CLASSES = {"layout": "Layout", "tensor": "Tensor", "swizzle": "Swizzle", "copy atom": "CopyAtom",
           "tiled copy": "TiledCopy", "MMA atom": "MMAAtom", "tiled MMA": "TiledMMA"}
COORDINATE_FIRST = ("slice", "dice", "slice_and_offset", "crd2idx")

#: What an operation gives, where that is not a value as its first argument.
GIVES = {}
for _type, _names in {
        "int": "rank depth size product max_common_vector max_alignment divide_excess copy_width conflicts",
        "bool": "is_integer congruent weakly_congruent compatible evenly_divides elem_less elem_leq elem_gtr "
                "elem_geq lex_less lex_leq lex_gtr lex_geq colex_less colex_leq colex_gtr colex_geq check_copy",
        "IntTuple": "shape stride coshape cosize at eval hier_coord crd2idx idx2crd crd2crd offset offsets "
                    "linear_images",
        "Layout": "layout make_layout make_col_major make_row_major make_ordered_layout make_layout_like "
                  "make_fragment_like make_identity_layout mode max_common_layout greatest_common_domain "
                  "domain_distribute tv_layout tv_layout_src tv_layout_dst src_tv_layout dst_tv_layout atom_src "
                  "atom_dst atom_ref atom_thr_id mma_threads tv_layout_a tv_layout_b tv_layout_c tv_layout_e "
                  "tmem_layout_c tmem_layout_e tmem_scale_a tmem_scale_b scale_layout_a scale_layout_b nullspace",
        "Basis": "E", "Layout ": "complement",
        "Tensor": "slice_and_offset local_tile local_partition inner_partition outer_partition partition_src "
                  "partition_dst partition_a partition_b partition_c make_composed linear_layout "
                  "linear_composition linear_inverse",
        "Swizzle": "make_swizzle", "CopyAtom": "copy_atom", "MMAAtom": "mma_atom",
        "TiledCopy": "tiled_copy make_tiled_copy make_cotiled_copy tiled_copy_of tiled_copy_a tiled_copy_b "
                     "tiled_copy_c",
        "TiledMMA": "tiled_mma make_tiled_mma",
        "IntTuple ": "partition_shape_a partition_shape_b partition_shape_c product_each"}.items():
    for _name in _names.split():
        GIVES[_name] = _type.strip()


def gives(name, parts):
    """What a form gives: where no more is said, a swizzle of swizzles, a tensor of any tensor, or else a value as its
    argument."""
    if name in GIVES:
        return GIVES[name]
    of = parts[1:] if name in COORDINATE_FIRST else parts
    if of[0] in ("tiled copy", "tiled MMA"):
        if name == "atom":
            return "CopyAtom" if of[0] == "tiled copy" else "MMAAtom"
        if name == "tiler":
            return "IntTuple" if of[0] == "tiled copy" else "IntTuple | Tiler"
    if set(of) == {"swizzle"}:
        return "Swizzle"
    if {"tensor", "tensor or a layout", "swizzle"} & set(of):
        return "Tensor"
    return "Layout" if {"layout", "tiled copy"} & set(of) else "IntTuple"


def forms(operation):
    """(arguments, whether the last repeats) of each form, from what the operation says."""
    for line in operation.__doc__.splitlines():
        takes = re.match(r"\w+\((.*?)\): ", line).group(1)
        parts = takes.split(", ")
        repeats = parts[-1] == ".."
        yield parts[:-1] if repeats else parts, repeats


def union(types):
    """Types as a hint; every integer is a tuple too."""
    types = set(types) - ({"int"} if "IntTuple" in types else set())
    for alias, parts in (("TilerLike", {"Tiler", "Layout", "IntTuple", "tuple[Any, ...]", "str"}),
                         ("LayoutLike", {"Layout", "IntTuple", "str"})):
        if parts <= types:
            types = types - parts | {alias}
    return " | ".join(sorted(types, key=lambda name: ORDER.index(name) if name in ORDER else -1))


def signatures(name, all_forms, owner=None):
    """The overloads of an operation, or of the method of a class: (arguments, result), those with text last."""
    tuples = {k for parts, _ in all_forms for k, part in enumerate(parts) if part == "tuple"}
    by_result = {}
    for parts, repeats in all_forms:
        result, parts = gives(name, parts), list(enumerate(parts))
        if owner:
            at = int(name in COORDINATE_FIRST and len(parts) > 1 and parts[0][1] == "tuple")
            first = parts[at][1]
            if CLASSES.get(first) != owner and not (first == "tensor or a layout" and owner in ("Layout", "Tensor")):
                continue
            if first == "tensor or a layout" and owner == "Layout":
                result = gives(name, ["layout", *(part for _, part in parts[1:])])
            parts = parts[:at] + parts[at + 1:] or (parts if repeats else [])
        args = [set(TAKES[part]) - ({"IntTuple"} if part == "layout" and place in tuples else set())
                for place, part in parts]
        by_result.setdefault((result, repeats), []).append(args)
    return [(row, repeats, result) for (result, repeats), rows in by_result.items() for row in merged(rows)]


def merged(rows):
    """Rows of arguments as few rows: those that differ in one argument, or of which one has one more."""
    rows = [[(part, False) for part in row] for row in rows]
    for a, b in [*itertools.permutations(range(len(rows)), 2)] * 2:
        if rows[a] is None or rows[b] is None or len(rows[a]) not in (len(rows[b]), len(rows[b]) + 1):
            continue
        differing = [k for k, (x, y) in enumerate(zip(rows[a], rows[b])) if x != y]
        if len(rows[a]) > len(rows[b]):
            if not differing and not rows[a][-1][1]:
                rows[b], rows[a] = None, [*rows[a][:-1], (rows[a][-1][0], True)]
        elif len(differing) == 1 and rows[a][differing[0]][1] == rows[b][differing[0]][1]:
            k = differing[0]
            both = rows[a][k][0] | rows[b][k][0]
            rows[a][k], rows[b] = (both - {"int"} if "IntTuple" in both else both, rows[a][k][1]), None
    return [row for row in rows if row is not None]


def described(found):
    """Overloads as lines of a stub. Where results differ, text gives any of them."""
    results = sorted({result for _, _, result in found}, key=len)
    lines = [([(part | {"str"} if len(results) == 1 and part != {"int"} else part, optional) for part, optional in row],
              repeats, result) for row, repeats, result in found]
    if len(results) > 1:
        most = max(len(row) for row, _, _ in found)
        rows = [[part for part, _ in row] for row, _, _ in found]
        args = [set().union(*(row[k] for row in rows if len(row) > k)) for k in range(most)]
        if any(part != {"int"} for part in args):
            lines.append(([(part | {"str"} if part != {"int"} else part, any(len(row) <= k or row[k][1] for row, _, _ in found))
                           for k, part in enumerate(args)], False, union(set(" | ".join(results).split(" | ")))))
    for row, repeats, result in lines:
        names = [f"{chr(97 + k)}: {union(part)}{' = ...' if optional else ''}" for k, (part, optional) in enumerate(row)]
        if repeats:
            names[-1] = "*" + names[-1]
        yield ", ".join(names if repeats or not names else [*names, "/"]), result


def overloads(name, found, indent="", self=""):
    rows = list(described(found))
    for takes, result in rows:
        if len(rows) > 1:
            yield indent + "@overload"
        yield f"{indent}def {name}({', '.join(part for part in (self, takes) if part)}) -> {result}: ..."


def written(pycutlet):
    """The part of the stub on operations."""
    lines, all_forms = [], {name: list(forms(getattr(pycutlet, name))) for name in pycutlet.operations}
    for name in sorted(pycutlet.operations, key=str.lower):
        lines += overloads(name, signatures(name, all_forms[name]))
    for owner in ("Layout", "Tensor", "Swizzle", "CopyAtom", "TiledCopy", "MMAAtom", "TiledMMA"):
        lines.append(f"class _{owner}Operations:")
        members = vars(getattr(pycutlet, owner))
        for name in sorted(pycutlet.operations, key=str.lower):
            if isinstance(members.get(name), type(pycutlet.coalesce)):
                lines += overloads(name, signatures(name, all_forms[name], owner), "    ", "self")
    return "\n".join(lines) + "\n"


def main():
    import pycutlet
    with open(STUB, encoding="utf-8") as file:
        text = file.read()
    head = text.partition(MARK)[0]
    wanted = head + MARK + written(pycutlet)
    if "--update" in sys.argv[1:]:
        with open(STUB, "w", encoding="utf-8") as file:
            file.write(wanted)
    elif text != wanted:
        print("python/pycutlet/__init__.pyi is not up to date: tests/python/stubs.py --update")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""The type hints of the package: those of its operations, made of the table that it has.

    stubs.py            compares python/pycutlet/__init__.pyi with the package that is imported
    stubs.py --update   writes its part on operations anew
"""

import os
import re
import sys

STUB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python/pycutlet/__init__.pyi")
MARK = "# ---- operations: written by tests/python/stubs.py --update ----\n"

TAKES = {"integer": "int", "mode number": "int", "tuple": "IntTuple", "layout": "LayoutLike", "tiler": "TilerLike",
         "tensor": "Tensor", "tensor or a layout": "LayoutLike | Tensor", "swizzle": "Swizzle",
         "copy atom": "CopyAtom", "tiled copy": "TiledCopy", "MMA atom": "MMAAtom", "tiled MMA": "TiledMMA",
         "name": "str"}

#: What an operation gives, where that is not a value as its first argument.
GIVES = {}
for _type, _names in {
        "int": "rank depth size product max_common_vector max_alignment divide_excess copy_width",
        "bool": "is_integer congruent weakly_congruent compatible evenly_divides elem_less elem_leq elem_gtr "
                "elem_geq lex_less lex_leq lex_gtr lex_geq colex_less colex_leq colex_gtr colex_geq check_copy",
        "IntTuple": "shape stride coshape cosize at eval hier_coord crd2idx idx2crd crd2crd offset offsets E "
                    "linear_images",
        "Layout": "layout make_layout make_col_major make_row_major make_ordered_layout make_layout_like "
                  "make_fragment_like make_identity_layout mode max_common_layout greatest_common_domain "
                  "domain_distribute tv_layout tv_layout_src tv_layout_dst src_tv_layout dst_tv_layout atom_src "
                  "atom_dst atom_ref atom_thr_id mma_threads tv_layout_a tv_layout_b tv_layout_c tv_layout_e "
                  "tmem_layout_c tmem_layout_e tmem_scale_a tmem_scale_b scale_layout_a scale_layout_b nullspace",
        "Layout | Tensor": "complement right_inverse left_inverse logical_divide logical_product blocked_product "
                           "raked_product linear_layout linear_composition linear_inverse retile",
        "Layout | Tensor | Swizzle": "composition",
        "Tensor": "slice_and_offset local_tile local_partition inner_partition outer_partition partition_src "
                  "partition_dst partition_a partition_b partition_c make_composed",
        "Swizzle": "make_swizzle", "CopyAtom": "copy_atom", "MMAAtom": "mma_atom",
        "CopyAtom | MMAAtom": "atom",
        "TiledCopy": "tiled_copy make_tiled_copy make_cotiled_copy tiled_copy_of tiled_copy_a tiled_copy_b "
                     "tiled_copy_c",
        "TiledMMA": "tiled_mma make_tiled_mma",
        "IntTuple | Tiler": "tiler",
        "IntTuple ": "partition_shape_a partition_shape_b partition_shape_c product_each",
        "IntTuple | Layout | Tensor": "slice dice get"}.items():
    for _name in _names.split():
        GIVES[_name] = _type.strip()
AS_FIRST = {"layout": "Layout", "tensor": "Tensor", "tensor or a layout": "Tensor", "swizzle": "Swizzle",
            "tuple": "IntTuple", "integer": "IntTuple"}


def forms(operation):
    """(arguments, whether the last repeats) of each form, from what the operation says."""
    for line in operation.__doc__.splitlines():
        takes = re.match(r"\w+\((.*?)\): ", line).group(1)
        parts = takes.split(", ")
        repeats = parts[-1] == ".."
        yield parts[:-1] if repeats else parts, repeats


def signature(parts, repeats, tuples):
    """The arguments of a form; a shape stands for a layout where no form takes tuples."""
    named = [f"{chr(97 + k)}: {'Layout' if part == 'layout' and tuples else TAKES[part]}"
             for k, part in enumerate(parts)]
    if repeats:
        return [*named[:-1], "*" + named[-1]]
    return [*named, "/"]


def written(pycutlet):
    """The part of the stub on operations."""
    lines = []
    for name in sorted(pycutlet.operations, key=str.lower):
        by_takes = {}
        all_forms = list(forms(getattr(pycutlet, name)))
        tuples = any("tuple" in parts for parts, _ in all_forms)
        for parts, repeats in all_forms:
            by_takes.setdefault(", ".join(signature(parts, repeats, tuples)), GIVES.get(name) or AS_FIRST[parts[0]])
        for takes, gives in by_takes.items():
            if len(by_takes) > 1:
                lines.append("@overload")
            lines.append(f"def {name}({takes}) -> {gives}: ...")
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

"""What tensor-layouts answers: bank_conflicts and coalescing_efficiency, with the arguments that
its documentation gives for NVIDIA, and the finer functions that it has beside them.

Its words. max_ways: "worst-case serialization factor (1 = no conflicts)"; conflict_free: "True if
no bank conflicts"; transactions: "number of cache line transactions needed", of 128 bytes;
efficiency: "ratio of unique useful bytes to transferred bytes"; segments: "number of 32B segments
touched". Addresses of global memory are "normalized so the minimum accessed offset in the analyzed
group corresponds to byte address 0".
"""

import importlib.metadata

from pattern import LANES


def version():
    return importlib.metadata.version("tensor-layouts")


def layout_of(pattern):
    """The pattern in its own layouts, by its own composition. Stops where that is another
    function: its answer would be one to another question."""
    from tensor_layouts import Layout, Swizzle, compose

    layout = Layout(pattern.tv_shape, pattern.tv_stride)
    linear = isinstance(pattern.layout.shape, int)  # n:1 only: the indices are the offsets
    if not linear:
        layout = compose(Layout(pattern.layout.shape, pattern.layout.stride), layout)
    if pattern.layout.swizzle:
        layout = compose(Swizzle(*pattern.layout.swizzle), layout)
    theirs = [[layout(lane + LANES * value) for value in range(pattern.values)]
              for lane in range(LANES)]
    if theirs != pattern.offsets:
        raise ValueError(f"{pattern.name}: tensor-layouts has other offsets: {theirs}")
    return layout


def ask_shared(layout, pattern):
    from tensor_layouts.analysis import bank_conflicts, per_group_bank_conflicts

    told = bank_conflicts(layout, element_bytes=pattern.elem_bytes)
    ways = told["max_ways"]
    words = f"max_ways {ways}, conflict_free {told['conflict_free']}"
    lanes = LANES // pattern.phases  # what the caller must know: the lanes of one pass
    groups = per_group_bank_conflicts(layout, element_bytes=pattern.elem_bytes, group_size=lanes)
    finer = sum(group["max_ways"] for group in groups["groups"])
    return {"words": words, "wavefronts": ways, "conflict_free": told["conflict_free"],
            "finer": finer, "finer_words": f"sum of max_ways over groups of {lanes} lanes: {finer}"}


def ask_global(layout, pattern):
    from tensor_layouts.analysis import coalescing_efficiency, segment_analysis

    told = coalescing_efficiency(layout, element_bytes=pattern.elem_bytes)
    finer = segment_analysis(layout, element_bytes=pattern.elem_bytes)
    words = f"transactions {told['transactions']}, efficiency {100 * told['efficiency']:.4g} %"
    return {"words": words, "lines": told["transactions"], "efficiency": told["efficiency"],
            "finer": finer["segments"], "finer_words": f"segments {finer['segments']}"}


def ask(pattern):
    layout = layout_of(pattern)
    return ask_global(layout, pattern) if pattern.is_global else ask_shared(layout, pattern)

"""What the web visualisers answer. They are pages for a browser, in no package registry: none was
run. What stands here is the arithmetic that their sources define, done again.

CuTe-Layout-Visualizer (github.com/kainzhong/CuTe-Layout-Visualizer, tabs/tv.js at 0a9ea2a7910937,
tab "TV Layout"). Coalesced read: "how many distinct 32-byte sectors does one warp-wide issue
touch", over all elements of the lanes, the data layout beginning at 0; the width of the access is
derived from the values that lie side by side. Bank conflict: the bank of each element is written
into its cell (byte / 4 mod 32, after a swizzle), "decide for yourself"; it gives no count.

Bank Conflict Visualizer (gau-nernst.github.io/bank-conflict) colours the elements of a matrix by
bank and frames those that are accessed together, a rectangle of the matrix that the reader gives;
swizzle visualizer (vjkrish.com/assets/swizzle-visualizer.html) colours them before and after a
swizzle. Neither gives a count, and neither knows lanes.
"""

SECTOR_BYTES = 32


def ask(pattern):
    if not pattern.is_global:
        return {"words": "the bank of each element, no count"}
    elements = {offset for lane in pattern.offsets for offset in lane}
    sectors = len({offset * pattern.elem_bytes // SECTOR_BYTES for offset in elements})
    return {"words": f"{sectors} distinct 32B sectors", "sectors": sectors}

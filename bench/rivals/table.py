"""The answers side by side, in Markdown, what is not so marked."""

LINE_BYTES, SECTOR_BYTES = 128, 32

HEAD = ("layout", "tensor-layouts", "its finer function", "Triton", "web page", "cutlet", "H200")

LEGEND = """
Bold marks wrong results. tensor-layouts {tl}: `bank_conflicts` with max_ways (bold if it differs
from the wavefronts) and conflict_free. Its `coalescing_efficiency` gives cache lines of 128 bytes,
compared with the addresses, and an efficiency, compared with the used fraction of the sectors. Its
finer functions are `per_group_bank_conflicts`, given the lanes of a pass, with max_ways summed, and
`segment_analysis`. Triton {triton}: wavefronts, and conflicts of all wavefronts, from its
`bank_conflicts` per wavefront; empty if it has no count. Web page: CuTe-Layout-Visualizer by its
definition, not run. cutlet and H200: wavefronts and bank conflicts (wavefronts beyond one per group
of lanes); sectors of 32 bytes."""


def marked(text, right):
    """Bold where it is not so; right None: not known."""
    return f"**{text}**" if right is False else text


def plural(count, noun):
    return f"{count} {noun}" if int(count) == 1 else f"{count} {noun}s"


def same(answer, truth):
    """None where the truth is not known."""
    return None if truth is None else float(answer) == truth


def lines_of(p):
    """The cache lines that hold the bytes of all lanes."""
    return len({byte // LINE_BYTES for start in p.bytes
                for byte in range(start, start + p.bits // 8)})


def global_cells(row, p, counted):
    sectors = counted[1] if counted else None
    lines, part = float(row["tl_lines"]), float(row["tl_efficiency"])
    used = None if sectors is None else int(row["bytes_used"]) / (sectors * SECTOR_BYTES)
    close = None if used is None else abs(part - used) < 1e-6
    finer, page = row["tl_finer"], row["visualiser_sectors"]
    own = row["sectors"]
    return [marked(plural(int(lines), "line"), lines == lines_of(p)) + ", " +
            marked(f"{100 * part:.4g} %", close),
            marked(plural(finer, "sector"), same(finer, sectors)),
            "",
            marked(plural(page, "sector"), same(page, sectors)),
            marked(plural(own, "sector"), same(own, sectors)),
            "" if sectors is None else f"{plural(sectors, 'sector')}, {100 * used:.4g} %"]


def shared_cells(row, counted):
    wavefronts, conflicts = (counted[2], counted[3]) if counted else (None, None)
    free = row["tl_conflict_free"] == "True"
    free_right = None if conflicts is None else free == (conflicts == 0)
    triton = "not linear"
    if row["triton_wavefronts"]:
        triton = (marked(row["triton_wavefronts"], same(row["triton_wavefronts"], wavefronts)) +
                  ", " + marked(f"{row['triton_conflicts']} over",
                                same(row["triton_conflicts"], conflicts)))
    own = (marked(row["wavefronts"], same(row["wavefronts"], wavefronts)) + ", " +
           marked(f"{row['conflicts']} over", same(row["conflicts"], conflicts)))
    ways = row["tl_wavefronts"]
    return [marked(f"{ways}-way", same(ways, wavefronts)) + ", " +
            marked("free" if free else "conflict", free_right),
            marked(row["tl_finer"], same(row["tl_finer"], wavefronts)),
            triton,
            "banks, no count",
            own,
            "" if wavefronts is None else f"{wavefronts}, {conflicts} over"]


def show(rows, asked, hardware, versions):
    """Prints the table and how often each is right, of the layouts that the hardware has counters
    for. 1 where cutlet is not as the counters, else 0."""
    right = [[0, 0] for _ in HEAD[1:-1]]  # of each tool: right, has an answer
    print("| " + " | ".join(HEAD) + " |")
    print("|---" * len(HEAD) + "|")
    for row, p, counted in zip(rows, asked, hardware, strict=True):
        cells = global_cells(row, p, counted) if p.is_global else shared_cells(row, counted)
        print("| " + " | ".join([p.name] + cells) + " |")
        if not counted:
            continue
        for tally, cell in zip(right, cells[:-1]):
            if any(c.isdigit() for c in cell):
                tally[0] += "**" not in cell
                tally[1] += 1
    if not any(hardware):
        print(LEGEND.format(**versions), "No counters of hardware: only cache lines are held.")
        return 0
    counts = [f"{good} of {count}" for good, count in right]
    known = sum(1 for counted in hardware if counted)
    print("| " + " | ".join(["wholly right"] + counts + [f"{known} measured"]) + " |")
    print(LEGEND.format(**versions))
    return 0 if right[-1][0] == right[-1][1] else 1

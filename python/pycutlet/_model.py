"""What accesses cost, whether copies are right, and which copy is best."""

from collections import namedtuple

from . import _core
from ._command import _answer, command

#: The bits of an element type by its names, once one is asked for.
_BITS = {}
_CUTE = {8: "uint8_t", 16: "half_t", 32: "float", 64: "double", 128: "uint128_t"}
_READS = {"rows": 0, "columns": 1, "cols": 1, "ldmatrix": 2, "ldmatrix.trans": 3}

Finding = namedtuple("Finding", "name ok text")
Finding.__doc__ = "A property of a copy or MMA: ok is True, False, or None where nothing was looked at."

_OF_COPIES = ("cover", "writes", "idle", "doubled", "shared", "source access", "destination access", "shared access")
_OF_MMAS = ("cover A", "cover B", "cover C", "cover E", "feed A", "conflicts A", "feed B", "conflicts B")

Traffic = namedtuple("Traffic", "kind bits instructions lanes requests sectors lines wavefronts ideal conflicts broadcast "
                                "bytes_used bytes_moved at_least efficiency")
Traffic.__doc__ = "What one side of a copy costs: the counts of `cutlet access`, summed over its instructions."

Suggestion = namedtuple("Suggestion", "cycles sectors wavefronts instructions shared_bytes read_bits at_least "
                                      "copy store shared c cute")
Suggestion.__doc__ = ("A tiled copy into shared memory, its layout there, and what both cost; store is the "
                      "copy on to a destination. c and cute are the same as code.")


def element_bits(type):
    """The bits of an element: of a name, of a NumPy or PyTorch type, or as they are."""
    if isinstance(type, int):
        return type
    size = getattr(type, "itemsize", None)  # of numpy.dtype, torch.dtype
    if isinstance(size, int):
        return 8 * size
    name = getattr(type, "__name__", type)  # numpy.float16 is a class
    for words in [] if _BITS else map(str.split, command("help", "types").splitlines()):
        if words[2:3] == ["bits"]:
            _BITS.update(dict.fromkeys([words[0], *words[5:]], int(words[1])))
    if name in _BITS:
        return _BITS[name]
    raise ValueError(f"there is no element type {name!r}: " + ", ".join(_BITS))


def _named(type):
    """A type that the command has a name for, of as many bits."""
    return type if isinstance(type, str) else {4: "e2m1", 6: "e3m2", 8: "uint8"}.get(bits := element_bits(type), f"V{bits // 8}")


def access(what, kind=None, *, read=None, bits=0, type=None, shared=None, src=None, dst=None, arch=None, **options):
    """What accesses cost, as a GPU's counters do: sectors of global memory, wavefronts and conflicts of
    shared memory.

    what  a sequence of up to 32 byte offsets, None for an inactive lane: one instruction of a warp, of
          `kind` and `bits`; `shared` has the lanes of ldgsts in shared memory. An AccessCount.
          A thread-value layout, (thread, value) -> index of `memory`: by `kind`, elements of `type`, the
          widest access that the layouts allow or `bits`. A Traffic.
          With `read`, rows, columns, ldmatrix or ldmatrix.trans: a tile in shared memory. A Traffic.
          A TiledCopy: a pair of Traffic, of `src` and of `dst`, None for a side that is not given; also shape,
          src_kind, dst_kind, base and dst_base.
    kind  ldg, stg, lds, sts, ldgsts, ldgsts.bypass, ldmatrix or stmatrix.
    """
    tiled = isinstance(_core.evaluate(what) if isinstance(what, str) and not read else what, _core.TiledCopy)
    if tiled and src is None and dst is None:
        raise TypeError("src and dst are missing: the layouts of the data")
    if not tiled and not (kind or read):
        raise TypeError("kind is missing: ldg, stg, lds, sts, ldgsts, ldmatrix ..; or read: rows, columns ..")
    if not tiled and not read and not isinstance(what, (str, _core.Layout)):
        if not bits and kind not in ("ldmatrix", "stmatrix"):
            raise TypeError("bits is missing: of one lane's access")
        return _core._access_lanes(what, kind, bits or 128, shared, arch)
    if not tiled and type is None:
        raise TypeError("type is missing, such as 'half', numpy.float32 or bits")
    rows = _answer("access", what, kind=kind, read=read, bits=bits or None, src=src, dst=dst, arch=arch,
                   elem_bits=type and element_bits(type), **options)["access"]
    for row in rows:
        row["kind"] = {"LDSM": "ldmatrix", "STSM": "stmatrix"}.get(row["kind"], row["kind"].lower())
    found = {row.get("side"): Traffic(*map(row.get, Traffic._fields)) for row in rows}
    return (found.get("source"), found.get("destination")) if tiled else found[None]


def bank_conflicts(layout, type, *, kind="lds", read=None, **options):
    """The wavefronts of shared memory beyond the least: (lane, value) -> element, of `memory` or of shared memory; with
    `read` (rows, columns, ldmatrix, ldmatrix.trans) of a tile in shared memory that is read so."""
    return access(layout, None if read else kind, read=read, type=type, **options).conflicts


def is_injective(layout):
    """Whether no two coordinates have one offset, by enumeration."""
    offsets = _core.offsets(layout)
    return len(set(offsets)) == len(offsets)


def is_bijective(layout):
    """Whether the offsets are 0 to size - 1, each once, by enumeration."""
    return set(_core.offsets(layout)) == set(range(_core.size(layout)))


def cycles(layout):
    """The cycles of a bijective layout as a permutation of its indices, each from its least one on; of at least two."""
    if not is_bijective(layout):
        raise ValueError(f"{layout} is no permutation: its offsets are not 0 to {_core.size(layout) - 1}, each once")
    to, seen, found = _core.offsets(layout), set(), []
    for first in range(len(to)):
        cycle = []
        while first not in seen:
            seen.add(first)
            cycle.append(first)
            first = to[first]
        if len(cycle) > 1:
            found.append(tuple(cycle))
    return found


def _table(head, rows):
    """Rows for a notebook, in the page's own colours."""
    from html import escape  # whose import takes longer than the package's
    lines = [f"<th>{'</th><th>'.join(head)}</th>", *(f"<td>{'</td><td>'.join(escape(str(x)) for x in row)}</td>" for row in rows)]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


for _type in (_core.AccessCount, Traffic):
    _type._repr_html_ = lambda self: _table(("count", "value"), [(name, getattr(self, name)) for name in self.__match_args__])


class Report(tuple):
    """What verify found: a tuple of Finding. True where no property fails."""

    __slots__ = ()

    def __bool__(self):
        return all(finding.ok is not False for finding in self)

    def __getitem__(self, key):
        if not isinstance(key, str):
            return tuple.__getitem__(self, key)
        for finding in self:
            if finding.name == key:
                return finding
        raise KeyError(key)

    def __str__(self):
        words = {True: "ok", False: "FAILS"}
        return "\n".join(f"{name:18} {words[ok]:6} {text}" for name, ok, text in self if ok is not None)

    def _repr_html_(self):
        words = {True: "ok", False: "FAILS", None: "not looked at"}
        return _table(Finding._fields, [(name, words[ok], text) for name, ok, text in self])

    def __repr__(self):
        return f"<Report: {'holds' if self else 'FAILS'}>\n{self}"


def verify(what, tile=None, *, src=None, dst=None, shared=None, shared_a=None, shared_b=None, type="half",
           bits=0, src_align=0, dst_align=0, shared_bytes=0, arch=None):
    """Proves by enumeration that a tiled copy is right, or names threads, values and coordinates that
    show an error.

    what  a TiledCopy; a thread-value layout, (thread, value) -> index in `tile`, of elements of `type`
          in accesses of `bits`; or a TiledMMA or MMAAtom, whose operands lie by shared_a and shared_b.
    src, dst, shared  layouts of whole tensors, which accesses have to fit.
    """
    value = _core.evaluate(what) if isinstance(what, str) else what
    mma = isinstance(value, (_core.TiledMMA, _core.MMAAtom))
    of_tv = not mma and not isinstance(value, _core.TiledCopy)
    if of_tv and tile is None:
        raise TypeError("tile is missing: the shape that the thread-value layout covers")
    given = {"tile": tile, "bits": bits or None, "type": _named(type)} if of_tv else {}
    found = _answer("verify", what, _wrong=True, src=src, dst=dst, shared=shared, shared_a=shared_a, shared_b=shared_b, arch=arch,
                  src_align=src_align or None, dst_align=dst_align or None, shared_bytes=shared_bytes or None, **given)
    told = {one["property"]: one for one in found["properties"]}
    return Report(Finding(name, told[name]["ok"], told[name]["text"]) if name in told else Finding(name, None, "")
                  for name in (_OF_MMAS if mma else _OF_COPIES))


class Suggestions(tuple):
    """What suggest found, the best first. reason says why, optimal whether no layout has better counts."""

    reason: str
    optimal: bool
    tried: int

    def _repr_html_(self):
        return _table(Suggestion._fields[:-2], [item[:-2] for item in self])

    def __repr__(self):
        return f"<{len(self)} suggestions: {self.reason}>"


def suggest(tile, src, type, *, threads=128, read="rows", read_bits=0, dst=None, align=0, dst_align=0,
            cp_async=True, shared=0, arch=None, top=1, one_per_cost=False):
    """The best tiled copies of a tile from global to shared memory, found by counting.

    tile  (rows, columns); src the layout of the whole tensor in global memory; type its elements.
    read  how the tile is read in shared memory: rows, columns, ldmatrix or ldmatrix.trans; or dst, the
          layout that it is copied on to.
    top   how many are given; 0: all, one_per_cost: the first of each cost.
    """
    if read not in _READS:
        raise ValueError(f"there is no read {read!r}: " + ", ".join(_READS))
    m, n = tile
    bits = element_bits(type)
    items, reason, optimal, tried, _ = _core._suggest_copy(
        bits, threads, m, n, src, dst, _READS[read], read_bits, align, dst_align, not cp_async, shared, arch, top,
        one_per_cost, _CUTE.get(bits, "uint8_t"))
    found = Suggestions(Suggestion(*item[:6], bool(item[6]), *item[7:]) for item in items)
    found.reason, found.optimal, found.tried = reason, bool(optimal), tried
    return found

"""Sharded tensors: from any sharded layout to any other, over ranks that are threads or processes."""

import os

from . import _core
from ._arrays import _TYPES, _Queue, _check_type, _flat, _given, _kind_of, _name_of


def _tuple(numbers):
    """A tuple of integers, of an integer too."""
    return (numbers,) if isinstance(numbers, int) else tuple(numbers)


def shards(layout, shape, mesh):
    """The extents of what each rank of a mesh holds of a tensor, a tuple for each rank.

    layout is text as `shard:0`, `replicate,shard:1`, `cyclic:0:64`, or a layout (mesh, local) -> coordinate.
    """
    shape, mesh = _tuple(shape), _tuple(mesh)
    ranks = _core._sharded(layout, shape, mesh, 0)[1]
    return [_core._sharded(layout, shape, mesh, rank)[2] for rank in range(ranks)]


class Engine:
    """What carries the bytes of a rank that is a process: one for each process, opened by all together.

    Engine.peer() is for the GPUs of one host, Engine.nccl() for those that NCCL reaches. `with` closes it.
    """

    __slots__ = ("_engine", "_comm")

    def __init__(self, engine, comm=None):
        self._engine, self._comm = engine, comm

    @classmethod
    def peer(cls, name=None, rank=None, ranks=None, *, group=None, limit=30):
        """Peer memory of one host. name is that of a group: text that all ranks have and no other group,
        as Engine.name() makes it on one rank. Without rank it is torch.distributed that gives all three."""
        name, rank, ranks = _group(name, rank, ranks, group)
        return cls(_core._engine("peer", name, rank, ranks, 0, limit))

    @classmethod
    def nccl(cls, comm=None, *, name="", rank=None, ranks=None, group=None, limit=30):
        """NCCL. comm is an ncclComm_t as an integer, which stays the caller's, or an NcclComm, which the engine
        closes. Without it torch.distributed exchanges the id of a new one. name as for peer: of processes of one
        host, which then hear of failures sooner; without it records go by NCCL too."""
        if comm is None:
            named, rank, ranks = _group(None, rank, ranks, group)
            name = named if name is None else name
            comm = NcclComm(_from_first(nccl_id() if rank == 0 else None, group), rank, ranks)
        owned = comm if isinstance(comm, NcclComm) else None
        pointer = owned.pointer if owned else comm
        if name and rank is None:
            raise ValueError("a group's name needs rank and ranks")
        return cls(_core._engine("nccl", name, rank or 0, ranks or 0, pointer, limit), owned)

    @staticmethod
    def name():
        """The name of a new group, which the other ranks have to be told."""
        return "/cutlet-" + os.urandom(12).hex()

    @property
    def rank(self):
        """The rank of this process."""
        return self._engine.rank

    @property
    def ranks(self):
        """How many ranks there are."""
        return self._engine.ranks

    def close(self):
        """Waits for its work and releases it, and the communicator that it made."""
        aborted = self._engine.has_aborted
        self._engine.close()
        if self._comm is not None and not aborted:
            self._comm.close()
        self._comm = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __str__(self):
        return str(self._engine)

    def __repr__(self):
        return f"<Engine {self}>"


def _group(name, rank, ranks, group):
    """The name, rank and ranks; those that are not given are torch.distributed's."""
    if rank is not None and ranks is not None and name is not None:
        return name, rank, ranks
    import torch.distributed as dist
    rank, ranks = dist.get_rank(group), dist.get_world_size(group)
    return _from_first(Engine.name() if rank == 0 else None, group) if name is None else name, rank, ranks


def _from_first(value, group):
    """What the first rank of a torch.distributed group has."""
    import torch.distributed as dist
    box = [value]
    first = dist.get_global_rank(group, 0) if group is not None else 0
    dist.broadcast_object_list(box, src=first, group=group)
    return box[0]


# ---- NCCL ----------------------------------------------------------------------------------------


def _nccl():
    """ctypes, the library that the engine opens (CUTLET_NCCL, or the one that the loader or PyTorch has), and the
    type ncclUniqueId."""
    import ctypes  # takes longer than the rest of the package
    library = ctypes.CDLL(os.environ.get("CUTLET_NCCL") or "libnccl.so.2")
    unique_id = type("ncclUniqueId", (ctypes.Structure,), {"_fields_": [("bytes", ctypes.c_char * 128)]})
    library.ncclGetErrorString.restype = ctypes.c_char_p
    library.ncclCommInitRank.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, unique_id, ctypes.c_int]
    library.ncclCommDestroy.argtypes = [ctypes.c_void_p]
    return ctypes, library, unique_id


def _check(library, result, name):
    if result:
        raise RuntimeError(f"{name}: {library.ncclGetErrorString(result).decode()}")


def nccl_id():
    """The bytes that make a communicator: of one rank, for all of them."""
    ctypes, library, unique_id = _nccl()
    made = unique_id()
    _check(library, library.ncclGetUniqueId(ctypes.byref(made)), "ncclGetUniqueId")
    return ctypes.string_at(ctypes.byref(made), ctypes.sizeof(made))


class NcclComm:
    """A communicator of NCCL, on the current device. Collective: every rank makes its own of one id."""

    __slots__ = ("_library", "pointer")

    def __init__(self, unique_id, rank, ranks):
        self.pointer = None
        ctypes, self._library, kind = _nccl()
        made, number = ctypes.c_void_p(), kind.from_buffer_copy(unique_id)
        _check(self._library, self._library.ncclCommInitRank(ctypes.byref(made), ranks, number, rank),
               "ncclCommInitRank")
        self.pointer = made.value

    def close(self):
        """Destroys it."""
        if self.pointer:
            self._library.ncclCommDestroy(self.pointer)
        self.pointer = None


# ---- plans ---------------------------------------------------------------------------------------


class Redistribution:
    """From one sharded layout of a tensor to another, planned once for a rank and run often.

    source, target  text as `shard:0`, for the modes of the mesh in turn
    shape, mesh     of the tensor, and of the ranks; a mesh's last mode is fastest, as DeviceMesh's
    type, dst_type  half, bfloat16, float, double or int8, or the bytes of an element that is moved as it is
    carry           auto, messages, direct or staged
    limit           the seconds that a rank waits for another one
    """

    __slots__ = ("_plan", "_text", "rank", "src_shape", "dst_shape", "_strided", "_dst_type", "_parts")

    def __init__(self, source, target, shape, mesh, type, dst_type=None, *, rank, scale=None, backend="auto",
                 carry="auto", chunk_bytes=0, scratch_bytes=0, limit=30.0):
        shape, mesh = _tuple(shape), _tuple(mesh)
        kinds = [_kind_of(type), _kind_of(type if dst_type is None else dst_type)]
        self._strided = [_is_compact(text) is False for text in (source, target)]
        size = max(kinds[0][1], kinds[1][1])
        unit = max((n for n in range(1, 17) if size % n == 0), default=1)
        self._parts = size // unit if size > 16 else 1
        if self._parts > 1:  # such an element is several in one more mode of the tensor, the last
            if any(self._strided):
                raise ValueError(f"elements of {size} bytes: more than 16 are moved in C order alone")
            shape, size = (*shape, self._parts), unit
        self._plan = _core._redistribution(source, target, shape, mesh, kinds[0][0], kinds[1][0], size, self._parts, scale,
                                           backend, carry, chunk_bytes, scratch_bytes, limit, rank)
        shape = shape[:-1] if self._parts > 1 else shape
        sides = [_core._sharded(text, shape, mesh, rank) for text in (source, target)]
        self.rank, self.src_shape, self.dst_shape = rank, sides[0][2], sides[1][2]
        self._dst_type = None if dst_type is None or isinstance(dst_type, int) else dst_type
        self._text = f"{source} -> {target} of {shape}, rank {rank}"

    @property
    def info(self):
        """What it does, in numbers."""
        info = self._plan.info
        if self._parts == 1:
            return info
        return type(info)(n // self._parts if 1 <= k <= 3 else n for k, n in enumerate(info))  # of elements

    def run(self, dst, src, engine, stream=None):
        """Collective: every rank runs its plan, from its array to another. They are in C order; where a layout
        says otherwise, their memory has no gaps and holds all that the rank holds. A rank that holds nothing may
        give None. stream is the CUDA stream, as an integer; of PyTorch's tensors None is its current stream, of
        others the default one."""
        self._check(src, dst)
        with _Queue(stream, dst, src) as queue:
            self._plan.run(_given(dst), _given(src), engine._engine, queue)

    def __call__(self, src, engine, stream=None):
        """Runs it into a new array of the rank's extents, on the device of src. Returns that."""
        with _Queue(stream, src):
            dst = self.new(src)
        self.run(dst, src, engine, stream)
        return dst

    def new(self, like):
        """A destination: an array of the rank's extents, of the library and on the device of another one."""
        if self._strided[1]:
            raise ValueError("the memory of the target is not in C order: give a destination")
        count = 1
        for extent in self.dst_shape:
            count *= extent
        return _flat(like, count, self._dst_type, True).reshape(self.dst_shape)

    def _check(self, src, dst):
        for array, shape, strided, name in ((src, self.src_shape, self._strided[0], "source"),
                                            (dst, self.dst_shape, self._strided[1], "destination")):
            if strided or array is None or 0 in shape:
                continue
            layout, extents = _core._array_info(_given(array))[:2]
            if layout is None or extents != shape:
                raise ValueError(f"rank {self.rank}: the {name} has the shape {extents}; the rank holds {shape}")
            if _core.coalesce(_reversed(layout)) != _core.coalesce(_reversed(_core.make_row_major(shape))):
                raise ValueError(f"rank {self.rank}: the {name} is not in C order; a suffix as /f says how it lies")

    def __str__(self):
        units = f"each element goes as {self._parts}\n" if self._parts > 1 else ""
        return units + str(self._plan).rstrip("\n")

    def __repr__(self):
        return f"<Redistribution {self._text}>"


def _reversed(layout):
    """A layout with its modes in the other order."""
    shape, stride = _tuple(layout.shape), _tuple(layout.stride)
    return _core.Layout(shape[::-1], stride[::-1])


def _is_compact(text):
    """Whether memory is in C order: the named forms say so without a suffix."""
    form, slash, suffix = text.partition("/")
    return suffix == "c" if slash else not form.startswith("(")


def redistribute(parts, source, target, shape, mesh, *, dtype=None, scale=None, out=None, backend="auto",
                 carry="auto", limit=30.0):
    """Redistributes a tensor whose parts are the arrays of a list, one for each rank: each rank is a thread.

    Returns the list of the new parts, or `out`, which has them. dtype is the type of the result; the elements are
    converted, times scale. A program of one process for each rank makes a Redistribution instead.
    """
    parts, shape, mesh = list(parts), _tuple(shape), _tuple(mesh)
    if not parts:
        raise ValueError("there are no parts")
    held = zip(parts, shards(source, shape, mesh))
    first = next((part for part, extents in held if 0 not in extents and part is not None), parts[0])
    _, _, kind, size, *_ = _core._array_info(_given(first))
    to = next((array for array in out or () if array is not None), None)
    if to is not None:
        _check_type(dtype, kind, to)
        dtype = _core._array_info(_given(to))[2]
        _check_type(dtype, kind, None)
    converts = scale is not None or (dtype is not None and _name_of(dtype) != kind)
    plans = [Redistribution(source, target, shape, mesh, kind if converts else size, dtype if converts else None,
                            rank=rank, scale=scale, backend=backend, carry=carry, limit=limit) for rank in range(len(parts))]
    for plan in plans:
        plan._dst_type = dtype
    if plans[0].info.ranks != len(parts):
        raise ValueError(f"{len(parts)} parts for {plans[0].info.ranks} ranks")
    made = [plan.new(first) for plan in plans] if out is None else list(out)
    for plan, src, dst in zip(plans, parts, made):
        plan._check(src, dst)
    _core._run_threads([plan._plan for plan in plans], made, parts)
    return made


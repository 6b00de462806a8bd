"""Redistribution of sharded arrays: ranks that are threads, against an enumeration; what is refused."""

import multiprocessing
import os
import random

import pytest

import pycutlet

numpy = pytest.importorskip("numpy")


def held(text, shape, mesh, rank):
    """The coordinates along each mode that a rank holds, by the meaning of the forms."""
    at = []
    for ranks in reversed(mesh):
        at.insert(0, rank % ranks)
        rank //= ranks
    along = [list(range(extent)) for extent in shape]
    for form, ranks, mine in zip(text.split(","), mesh, at):
        kind, *numbers = form.split(":")
        if kind == "replicate":
            continue
        mode = int(numbers[0])
        block = int(numbers[1]) if kind == "cyclic" else -(-shape[mode] // ranks)
        along[mode] = [i for i in along[mode] if i // block % ranks == mine]
    return along


def part(whole, text, mesh, rank):
    """What a rank holds of an array."""
    return numpy.ascontiguousarray(whole[numpy.ix_(*held(text, whole.shape, mesh, rank))])


def random_text(dice, modes, mesh):
    """A form for each mode of the mesh; each mode of the tensor is cut once."""
    free = list(range(modes))
    forms = []
    for _ in mesh:
        if not free or dice.random() < 0.2:
            forms.append("replicate")
            continue
        mode = free.pop(dice.randrange(len(free)))
        forms.append(dice.choice([f"shard:{mode}", f"cyclic:{mode}:{dice.randint(1, 4)}"]))
    return ",".join(forms)


@pytest.mark.parametrize("seed", range(40))
def test_random(seed):
    """Random pairs, of every kind of element, by every way."""
    dice = random.Random(seed)
    shape = tuple(dice.randint(1, 9) for _ in range(dice.randint(1, 4)))
    mesh = dice.choice([(1,), (2,), (5,), (2, 3), (2, 2, 2)])
    source, target = (random_text(dice, len(shape), mesh) for _ in range(2))
    kind = dice.choice(["i1", "i2", "i4", "f4", "f8", "c16"])
    whole = numpy.arange(numpy.prod(shape)).astype(kind).reshape(shape)
    ranks = int(numpy.prod(mesh))
    parts = [part(whole, source, mesh, rank) for rank in range(ranks)]
    got = pycutlet.redistribute(parts, source, target, shape, mesh,
                              carry=dice.choice(["auto", "messages", "direct", "staged"]))
    assert len(got) == ranks
    for rank in range(ranks):
        right = part(whole, target, mesh, rank)
        assert got[rank].dtype == whole.dtype and got[rank].shape == right.shape
        assert (got[rank] == right).all(), (source, target, shape, mesh, rank)
    assert pycutlet.shards(target, shape, mesh) == [a.shape for a in got]


def test_converts():
    """Elements are converted on the way, times a scale."""
    whole = numpy.arange(120, dtype="f4").reshape(10, 12)
    parts = [part(whole, "shard:0", (4,), rank) for rank in range(4)]
    got = pycutlet.redistribute(parts, "shard:0", "replicate", (10, 12), 4, dtype="float16", scale=0.5)
    assert all(a.dtype == "f2" and (a == (whole * 0.5)).all() for a in got)
    with pytest.raises(ValueError, match="not converted"):
        pycutlet.redistribute([a.astype("i8") for a in parts], "shard:0", "replicate", (10, 12), 4, dtype="float16")


def test_memory():
    """A suffix says how memory lies; `out` takes the result."""
    whole = numpy.arange(48, dtype="i4").reshape(6, 8)
    parts = [numpy.asfortranarray(whole[:3]), numpy.asfortranarray(whole[3:])]
    out = [numpy.zeros(24, "i4"), numpy.zeros(24, "i4")]
    assert pycutlet.redistribute(parts, "shard:0/f", "shard:1/(1,6)", (6, 8), 2, out=out)[0] is out[0]
    for rank in range(2):
        assert (out[rank].reshape(4, 6).T == whole[:, 4 * rank:4 * rank + 4]).all()
    assert (pycutlet.redistribute(parts, "shard:0/f", "shard:1", (6, 8), 2)[1] == whole[:, 4:]).all()
    with pytest.raises(ValueError, match="give a destination"):
        pycutlet.redistribute(parts, "shard:0/f", "shard:1/f", (6, 8), 2)


def test_empty():
    """Ranks that hold nothing take part."""
    whole = numpy.arange(3, dtype="f8")
    parts = [whole[:1], whole[1:2], whole[2:], numpy.zeros(0), numpy.zeros(0)]
    got = pycutlet.redistribute(parts, "shard:0", "cyclic:0:2", (3,), 5)
    assert [a.tolist() for a in got] == [[0, 1], [2], [], [], []]


def test_plan():
    """The plan of a rank says what it does."""
    plan = pycutlet.Redistribution("shard:0", "shard:1", (10, 12), 4, "float", rank=3)
    assert plan.src_shape == (1, 12) and plan.dst_shape == (10, 3) and plan.rank == 3
    assert plan.info.ranks == 4 and plan.info.all_bytes == plan.info.least_bytes == 360
    assert "rank 3 keeps 3, sends 9 and receives 27 elements" in str(plan)
    assert repr(plan) == "<Redistribution shard:0 -> shard:1 of (10, 12), rank 3>"


def test_refused():
    """Arrays that are not what the plan says, and plans that are none."""
    whole = numpy.arange(48, dtype="f4").reshape(6, 8)
    parts = [whole[:3], whole[3:]]
    for bad, line in (([whole, whole], "the source has the shape"), (parts[:1], "1 parts for 2 ranks"),
                      ([parts[0], parts[1][:, ::-1]], "not in C order"), ([], "there are no parts")):
        with pytest.raises(ValueError, match=line):
            pycutlet.redistribute(bad, "shard:0", "shard:1", (6, 8), 2)
    with pytest.raises(TypeError, match="8 bytes; planned were 4"):
        pycutlet.redistribute([parts[0], parts[1].astype("f8")], "shard:0", "shard:1", (6, 8), 2)
    for source, line in (("shard:2", "mode"), ("shard", "shard"), ("shard:0,shard:1", "mesh")):
        with pytest.raises(pycutlet.Error, match=line):
            pycutlet.redistribute(parts, source, "shard:1", (6, 8), 2)
    with pytest.raises(ValueError, match="there is no way to carry elements `carrier`"):
        pycutlet.redistribute(parts, "shard:0", "shard:1", (6, 8), 2, carry="carrier")
    with pytest.raises(ValueError, match="not converted"):
        pycutlet.Redistribution("shard:0", "shard:1", (6, 8), 2, "complex64", rank=0)
    with pytest.raises(pycutlet.Error, match="there is no rank 2"):
        pycutlet.Redistribution("shard:0", "shard:1", (6, 8), 2, 4, rank=2)


def open_peer(name, rank, limit, box):
    """What a process without a GPU hears."""
    os.environ["CUTLET_NO_GPU"] = "1"
    try:
        pycutlet.Engine.peer(name, rank, 2, limit=limit)
    except pycutlet.Error as failure:
        box.put((rank, str(failure)))


def test_processes():
    """Engines of processes: both ranks hear that there is no GPU, and a rank alone that the other is missing."""
    context = multiprocessing.get_context("spawn")
    box = context.Queue()
    name = pycutlet.Engine.name()
    ranks = [context.Process(target=open_peer, args=(name, rank, 30, box)) for rank in range(2)]
    for rank in ranks:
        rank.start()
    said = dict(box.get(timeout=60) for _ in ranks)
    for rank in ranks:
        rank.join()
    assert all(": no GPU: CUTLET_NO_GPU is set" in line for line in said.values()), said
    with pytest.raises(pycutlet.Error, match="rank 1 did not come within 0.2 s"):
        pycutlet.Engine.peer(pycutlet.Engine.name(), 0, 2, limit=0.2)
    with pytest.raises(pycutlet.Error, match="has a name as /cutlet-1"):
        pycutlet.Engine.peer("no/name", 0, 2)
    with pytest.raises(ValueError, match="a group's name needs rank and ranks"):
        pycutlet.Engine.nccl(1, name="/cutlet-x")

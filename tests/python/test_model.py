"""What accesses cost, proofs, suggestions and pictures: the numbers that the command gives."""

import json
import os
import subprocess
import xml.etree.ElementTree

import pytest

import pycutlet

COMMAND = os.environ.get("CUTLET", "")
COPY = pycutlet.TiledCopy("copy_atom(universal128,16)", "(16,8):(8,1)", "(1,8):(1,1)")


def command(*arguments):
    """The JSON that the command prints."""
    if not COMMAND:
        pytest.skip("no command cutlet")
    done = subprocess.run([COMMAND, *arguments, "--json"], stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(done.stdout)


def test_one_instruction():
    count = pycutlet.access([0, 128, 256, 384], "lds", bits=32)
    assert (count.wavefronts, count.ideal, count.conflicts, count.lanes) == (4, 1, 3, 4)
    assert pycutlet.access([4 * lane for lane in range(32)], "ldg", bits=32).sectors == 4
    assert pycutlet.access([32 * lane if lane % 2 else None for lane in range(32)], "ldg", bits=32).lanes == 16
    both = pycutlet.access([0, 16, 32], "ldgsts", bits=128, shared=[0, 128, 256])
    told = command("access", "--kind=ldgsts", "--bits=128", "--lanes=0,16,32", "--shared-lanes=0,128,256")
    assert (both.sectors, both.wavefronts) == (told["sectors"], told["wavefronts"])
    for lanes, kind, bits, why in (([1], "lds", 32, "multiple"), ([-4], "lds", 32, "multiple"),
                                   ([0] * 33, "lds", 32, "32"), ([0], "lds", 24, "24 bits"),
                                   ([0], "load", 32, "no access")):
        with pytest.raises(ValueError, match=why):
            pycutlet.access(lanes, kind, bits=bits)
    with pytest.raises(ValueError, match="rules"):
        pycutlet.access([0], "lds", bits=32, arch="sm_1")
    with pytest.raises(TypeError, match="bits"):
        pycutlet.access([0], "lds")


@pytest.mark.parametrize("tv, kind", [("((4,8),8):((512,8),64)", "lds"), ("((4,8),8):((64,8),1)", "ldg"),
                                      ("(32,8):(8,1)", "sts")])
def test_thread_value_layouts(tv, kind):
    traffic = pycutlet.access(tv, kind, type="half")
    row = command("access", tv, "--kind", kind, "--type", "half")
    row = next(iter(row.values()))[0] if isinstance(row, dict) else row[0]
    for name in ("instructions", "sectors", "wavefronts", "conflicts"):
        if name in row:
            assert getattr(traffic, name) == row[name], name
    assert pycutlet.access(pycutlet.Layout(tv), kind, type=16) == traffic
    with pytest.raises(TypeError, match="type"):
        pycutlet.access(tv, kind)


def test_a_bank_conflict_and_its_swizzle():
    plain, swizzled = ("(64,64):(64,1)", "Sw<3,3,3> o 0 o (64,64):(64,1)")
    rows = "(32,8):(1,64)"  # thread t reads 8 halves of row t
    conflicts = [pycutlet.access(rows, "lds", type="half", bits=128, memory=m).conflicts for m in (plain, swizzled)]
    assert conflicts == [28, 0]


def test_tiled_copies():
    src, dst = pycutlet.access(COPY, src="(512,512):(512,1)", dst="Sw<3,3,3> o 0 o (16,64):(64,1)")
    assert (src.kind, src.sectors, src.efficiency) == ("ldg", 16384, 1.0)
    assert (dst.kind, dst.wavefronts, dst.conflicts) == ("sts", 4096, 0)
    assert pycutlet.access(COPY, src="(512,512):(512,1)")[1] is None
    with pytest.raises(TypeError, match="src and dst"):
        pycutlet.access(COPY)
    with pytest.raises(pycutlet.Error, match="contiguous|next to|neighbour"):
        pycutlet.access(COPY, src="(512,512):(1,512)")


def test_proofs():
    report = pycutlet.verify(COPY, src="(512,512):(512,1)")
    assert report and report["cover"].ok is True and report["shared"].ok is None
    assert "cover" in str(report) and "holds" in repr(report)
    report = pycutlet.verify(COPY, src="(512,512):(1,512)")
    assert not report and report["source access"].ok is False
    assert not pycutlet.verify("(32,4):(1,16)", (8, 16))
    assert pycutlet.verify("(32,4):(1,32)", (8, 16))
    mma = pycutlet.TiledMMA("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1), "<32,32,16>")
    assert pycutlet.verify(mma, shared_a="Sw<3,3,3> o 0 o (64,64):(64,1)")
    assert not pycutlet.verify(mma, shared_a="(64,64):(64,1)")
    with pytest.raises(TypeError, match="tile"):
        pycutlet.verify("(32,4):(1,32)")
    with pytest.raises(KeyError):
        report["nothing"]


def test_suggestions():
    found = pycutlet.suggest((128, 64), "(4096,4096):(4096,1)", "half", read="ldmatrix")
    best = found[0]
    assert found.optimal and "Sw<3,3,3>" in found.reason and len(found) == 1
    assert (best.cycles, best.sectors, best.wavefronts, best.instructions, best.shared_bytes) == \
        (1127, 512, 256, 64, 16384)
    assert str(best.shared) == "Sw<3,3,3> o 0 o (128,64):(64,1)" and best.store is None
    assert pycutlet.verify(best.copy, src="(512,512):(512,1)", shared=best.shared)
    assert "copy_tile" in best.c and "Swizzle" in best.cute
    two = pycutlet.suggest((64, 64), pycutlet.Layout((512, 512), (512, 1)), 32, threads=256, top=2,
                         dst=pycutlet.Layout((512, 512)))
    assert len(two) == 2 and two[0].store is not None
    with pytest.raises(pycutlet.Error):
        pycutlet.suggest((3, 5), "(4096,4096):(4096,1)", "half")
    with pytest.raises(ValueError, match="element type"):
        pycutlet.suggest((64, 64), (512, 512), "quarter")
    with pytest.raises(ValueError, match="no read"):
        pycutlet.suggest((64, 64), (512, 512), "half", read="diagonal")


@pytest.mark.parametrize("value", [pycutlet.Layout((4, 8), (8, 1)), pycutlet.Tensor("Sw<1,0,1> o 0 o (4,4)"), COPY,
                                   pycutlet.MMAAtom("SM80_16x8x16_F32F16F16F32_TN"),
                                   pycutlet.TiledMMA("SM80_16x8x16_F32F16F16F32_TN", (2, 1, 1))], ids=str)
def test_notebooks_show_a_picture(value):
    root = xml.etree.ElementTree.fromstring(value._repr_svg_())
    assert root.tag.endswith("svg") and len(list(root.iter())) > 20
    assert value.draw()._repr_svg_().startswith("<svg")


def test_pictures(tmp_path):
    L = pycutlet.Layout((4, 8), (8, 1))
    picture = pycutlet.draw(L, title="rows", theme="dark")
    assert "rows" in picture.render() and "31" in str(picture) and repr(picture) == "<Picture of (4,8):(8,1)>"
    assert picture.render() != pycutlet.draw(L, title="rows").render()
    assert "thread" in str(pycutlet.draw("(32,4):(1,32)", (8, 16))).lower()
    for ending in ("svg", "tex", "txt"):
        picture.save(tmp_path / f"p.{ending}")
        assert (tmp_path / f"p.{ending}").read_text() == picture.render(ending)
    large = pycutlet.Layout((256, 256))
    with pytest.raises(pycutlet.Error, match="cells"):
        pycutlet.draw(large, truncate=False)
    assert "65536" in str(large.draw()) and str(pycutlet.draw(large)) == str(large.draw())
    for wrong in ({"theme": "blue"}, ):
        with pytest.raises(ValueError):
            pycutlet.draw(L, **wrong)
    with pytest.raises(ValueError, match="format"):
        picture.save(tmp_path / "p.pdf")
    with pytest.raises(pycutlet.Error, match="no picture of a swizzle"):
        pycutlet.draw(pycutlet.Swizzle(3, 4, 3))
    with pytest.raises(AttributeError):
        picture.title = "x"


def test_functions_of_offsets():
    L, swizzled = pycutlet.Layout((4, 8), (8, 1)), pycutlet.Swizzle(1, 0, 2) @ pycutlet.Layout((4, 2))
    assert pycutlet.is_injective(L) and pycutlet.is_bijective(L) and pycutlet.is_bijective(swizzled)
    assert pycutlet.is_injective("(4,8):(16,1)") and not pycutlet.is_bijective("(4,8):(16,1)")
    assert not pycutlet.is_injective("(4,8):(0,1)")
    assert pycutlet.cycles("(2,3):(3,1)") == [(1, 3, 4, 2)] and pycutlet.cycles((4, 8)) == []
    for cycle in pycutlet.cycles(L):
        assert all(L(a) == b for a, b in zip(cycle, cycle[1:] + cycle[:1]))
    with pytest.raises(ValueError, match="no permutation"):
        pycutlet.cycles("(4,8):(16,1)")
    plain = pycutlet.Layout((64, 64), (64, 1))
    rows = pycutlet.Layout((32, 8), (1, 64))
    assert pycutlet.bank_conflicts(rows, "half", memory=plain) == 28
    assert pycutlet.bank_conflicts(rows, "half", memory=pycutlet.Swizzle(3, 3, 3) @ plain) == 0


def test_reads_and_packed_elements():
    tile = pycutlet.Layout((64, 64), (64, 1))
    for read in ("rows", "columns", "ldmatrix"):
        for memory in (tile, pycutlet.Swizzle(3, 3, 3) @ tile):
            told = command("access", str(memory), "--read", read, "--type", "half")["access"][0]
            assert pycutlet.bank_conflicts(memory, "half", read=read) == told["conflicts"]
            traffic = pycutlet.access(memory, read=read, type=16)
            assert (traffic.wavefronts, traffic.kind) == (told["wavefronts"], "ldmatrix" if read == "ldmatrix" else "lds")
    # 4 bits as bytes: each the same as a tile of half as many bytes; 6 bits as three quarters
    for type, bits in (("e2m1", 4), ("int4", 4), (4, 4), ("e3m2", 6), (6, 6)):
        columns = 64 * bits // 8
        assert pycutlet.bank_conflicts("(64,64):(64,1)", type, read="columns") == \
            pycutlet.bank_conflicts(f"(64,{columns}):({columns},1)", 8, read="columns")
        found, bytes_ = (pycutlet.suggest((64, n), f"(4096,{64 * n}):({64 * n},1)", of) for n, of in ((64, type), (columns, 8)))
        assert found[0] == bytes_[0]
    assert pycutlet.verify("(32,8):(8,1)", 256, type="e2m1", bits=32, src="256:1")
    with pytest.raises(pycutlet.Error, match="the source: elements of 4 bits do not fill bytes"):
        pycutlet.suggest((64, 64), "(512,512):(513,1)", "e2m1")
    with pytest.raises(TypeError, match="read: rows"):
        pycutlet.access(tile, type="half")
    with pytest.raises(pycutlet.Error, match="read is rows, columns"):
        pycutlet.bank_conflicts(tile, "half", read="diagonal")


def test_notebooks(tmp_path):
    src, _ = pycutlet.access(COPY, src="(512,512):(512,1)")
    found = pycutlet.suggest((64, 64), "(4096,4096):(4096,1)", "half", read="ldmatrix")
    for shown, words in ((src, "<td>sectors</td>"), (pycutlet.verify(COPY), "<td>cover</td><td>ok</td>"),
                         (found, "<td>Sw&lt;3,3,3&gt; o 0 o (64,64):(64,1)</td>")):
        html = shown._repr_html_()
        assert words in html and "color" not in html
        assert xml.etree.ElementTree.fromstring(html).tag == "table"
    assert "Only the first 64 of 128 rows" in pycutlet.Layout((128, 128))._repr_svg_()
    pytest.importorskip("resvg_py")
    pycutlet.Layout((4, 8)).draw().save(tmp_path / "rows.png")
    assert (tmp_path / "rows.png").read_bytes().startswith(b"\x89PNG")

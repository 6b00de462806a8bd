"""Values: how they are made, written, compared, called and taken apart; what errors say."""

import copy
import gc
import pickle
import sys

import pytest

import pycutlet
from pycutlet import Basis, CopyAtom, E, Layout, MMAAtom, Swizzle, Tensor, TiledCopy, TiledMMA, Tiler

ATOM = CopyAtom("universal128", 16)
COPY = TiledCopy(ATOM, (16, 8), (1, 8))
MMA = TiledMMA("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1))
VALUES = [Layout((4, 8), (8, 1)), Layout(7), Layout(((2, 2), 3), ((1, 4), 2)), Layout("(2,3):(1@0,1@1)"),
          Tensor(Layout((4, 8), (8, 1)), 5), Tensor("Sw<3,4,3> o 0 o (8,64):(64,1)"), Swizzle(3, 4, 3),
          Tiler(Layout(4, 1), (2, 3), None), ATOM, COPY, MMAAtom("SM80_16x8x16_F32F16F16F32_TN"), MMA]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_written_and_read(value):
    kind = type(value)
    again = eval(repr(value), {kind.__name__: kind})
    assert again == value and hash(again) == hash(value) and again is not value
    assert kind(str(value)) == value and kind(value) == value
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.deepcopy(value) == value
    assert pycutlet.evaluate(str(value)) == value
    assert value != str(value) and value != 5 and not value == None  # noqa: E711
    assert {value: 1}[again] == 1


def test_all_differ():
    assert len(set(VALUES)) == len(VALUES)
    for k, value in enumerate(VALUES):
        assert [other == value for other in VALUES] == [n == k for n in range(len(VALUES))]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_immutable(value):
    with pytest.raises((AttributeError, TypeError)):
        value.shape = (1, 2)
    with pytest.raises((AttributeError, TypeError)):
        value.anything = 1
    with pytest.raises(TypeError):
        value[0] = 1


def test_made():
    assert Layout((4, 8)) == Layout("(4,8)") == Layout(shape=(4, 8)) == Layout((4, 8), stride=(1, 4))
    assert Layout([4, [2, 2]]) == Layout((4, (2, 2)))
    assert str(Layout("composition((6,2):(8,2), (4,3):(3,1))")) == "((2,2),3):((24,2),8)"
    assert Tensor(Layout(4, 2)) == Tensor("0@4:2") and Tensor((4, 2), 3).offset == 3
    assert str(Tensor((8, 64), 0, Swizzle(3, 4, 3))) == "Sw<3,4,3> o 0 o (8,64):(1,8)"
    assert Tensor(Layout(4, 2), swizzle="Sw<1,0,1>").swizzle == Swizzle(1, 0, 1)
    assert str(Tiler(4, (2, 3))) == "<4:1,<2:1,3:1>>" and Tiler("<4,_>") == Tiler(4, None)
    assert str(COPY) == str(pycutlet.tiled_copy(ATOM, "(16,8)", "(1,8)"))
    assert TiledMMA(MMAAtom("SM80_16x8x16_F32F16F16F32_TN"), (2, 2, 1)) == MMA

    class Index:
        def __index__(self):
            return 4

    assert Layout((Index(), 2)) == Layout((4, 2))


def test_not_made():
    with pytest.raises(pycutlet.Error, match="at least 1"):
        Layout((4, 0))
    with pytest.raises(pycutlet.Error):
        Layout((4, 2), (1, (2, 3)))
    with pytest.raises(TypeError, match="the text is a tuple, not what a Swizzle is made of"):
        Swizzle("(1,2)")
    with pytest.raises(TypeError, match="not float"):
        Layout((4.0, 2))
    with pytest.raises(TypeError):
        Layout()
    with pytest.raises(TypeError, match="keyword"):
        Swizzle(bits=1, base=2, shift=3)
    with pytest.raises(pycutlet.Error, match="swizzle"):
        Swizzle(3, 0, 1)
    with pytest.raises(pycutlet.Error, match="negative"):
        Tensor(Layout(4, 1), -1, Swizzle(1, 0, 1))
    with pytest.raises(TypeError):
        Basis()
    with pytest.raises(TypeError, match="swizzle must be a swizzle, not a layout"):
        Tensor(Layout(4), 0, Layout(4))


def test_coordinates():
    L = Layout((4, (2, 4)), (8, (4, 1)))
    assert L(3, (1, 2)) == 30 and L((3, (1, 2))) == 30 and L(5) == 12
    assert [L(i) for i in range(32)] == list(L.offsets())
    assert L(2, None) == Tensor("16@((2,4)):((4,1))") and L[1] == Layout((2, 4), (4, 1))
    assert len(L) == 2 and list(L) == [Layout(4, 8), Layout((2, 4), (4, 1))] and L.shape == (4, (2, 4))
    assert L.stride == (8, (4, 1)) and L.size() == 32 and L.rank() == 2
    assert Tensor(L, 100)(3, (1, 2)) == 130 and Tensor(L, 100)[0] == Tensor(Layout(4, 8), 100)
    assert Tensor("Sw<2,0,3> o 0 o (8,8):(8,1)")(1, 2) == 11
    assert Swizzle(3, 4, 3)(200) == 216
    assert list(Tiler(4, None)) == [Layout(4, 1), None]
    with pytest.raises(pycutlet.Error, match="out of bounds|outside"):
        L(4, 0)
    with pytest.raises(pycutlet.Error):
        L(32)
    with pytest.raises(IndexError):
        L[2]
    with pytest.raises(TypeError):
        L()
    with pytest.raises(ValueError, match="at least 0"):
        Swizzle(3, 4, 3)(-1)


def test_flat_coordinates_as_any_others():
    for L in (Layout((3, 4, 5), (20, 5, 1)), Layout((3, 4), (-4, 1)), Layout((3, 4), (E(1), E(0))),
              Layout((3, (2, 2)), (1, (3, 6)))):
        size = pycutlet.evaluate(f"size({L})")
        assert (pycutlet.size(L), pycutlet.rank(L), pycutlet.depth(L)) == \
            (size, pycutlet.evaluate(f"rank({L})"), pycutlet.evaluate(f"depth({L})"))
        for i in range(size):
            coordinate = pycutlet.idx2crd(i, L.shape)
            assert L(*coordinate) == L(coordinate) == L(i) == pycutlet.at(L, coordinate)
        for wrong in ((3, 0), (0, -1), (0, 0, 9), (1 << 70, 0)):
            with pytest.raises((pycutlet.Error, OverflowError)):
                L(*wrong)


def test_basis_elements():
    L = pycutlet.make_identity_layout((2, (3, 4)))
    assert L.stride == (E(0), (E(1, 0), E(1, 1)))
    assert L(1, (2, 3)) == (1, (2, 3)) and repr(3 * E(0, 1)) == "3@1@0" and E(0) * 3 == pycutlet.evaluate("3@0")
    assert (3 * E(0, 1)).path == (0, 1) and (3 * E(0, 1)).value == 3
    assert Layout((2, 3), (E(1), E(0)))(1, 2) == (2, 1)
    assert len({E(0), E(1), 2 * E(0), E(0)}) == 3
    with pytest.raises(OverflowError):
        (1 << 40) * ((1 << 40) * E(0))
    diagonal = E(0) + 2 * E(1)
    assert repr(diagonal) == "1@0+2@1" and diagonal == 2 * E(1) + E(0) and diagonal != E(0) + E(1)
    assert diagonal.terms == (E(0), 2 * E(1)) and E(1).terms == (E(1),) and -3 * diagonal == -3 * E(0) + -6 * E(1)
    assert 0 * diagonal == 0 * E(0) and E(0) + E(1) + -1 * E(1) == E(0)
    assert Layout((4, 8), (E(0), diagonal))(1, 3) == (4, 6) and Layout(8, diagonal).stride == diagonal
    assert pycutlet.evaluate("8:1@0+2@1") == Layout(8, diagonal) == Layout(str(Layout(8, diagonal)))
    assert pycutlet.composition(Layout((8, 16), (16, 1)), Layout(8, diagonal)) == Layout(8, 18)
    assert len({diagonal, E(0) + 2 * E(1), E(0) + E(1)}) == 2
    with pytest.raises(ValueError):
        diagonal.path
    with pytest.raises(ValueError):
        diagonal.value
    with pytest.raises(OverflowError):
        (1 << 31) * diagonal
    with pytest.raises(pycutlet.Error, match="at most 3"):
        diagonal + E(2) + E(3)
    with pytest.raises(TypeError):
        E(0) + 1
    with pytest.raises(TypeError):
        E(0) * 1.5


def test_operators():
    A, B = Layout((6, 2), (8, 2)), Layout((4, 3), (3, 1))
    assert A @ B == pycutlet.composition(A, B) == A.composition(B)
    assert Layout((8, 8)) / (2, 4) == pycutlet.logical_divide((8, 8), (2, 4))
    assert Layout((2, 2)) * Layout(3) == pycutlet.logical_product((2, 2), Layout(3))
    assert Swizzle(3, 4, 3) @ Layout((8, 64), (64, 1)) == Tensor("Sw<3,4,3> o 0 o (8,64):(64,1)")
    assert Layout((8, 8)) / (Layout(4, 2), None) == Layout("((4,2),8):((2,1),8)")
    with pytest.raises(TypeError):
        5 @ A
    with pytest.raises(TypeError):
        A + B


def test_methods_take_coordinates_behind():
    L = Layout((4, 8), (8, 1))
    assert L.slice((1, None)) == pycutlet.slice((1, None), L) and L.crd2idx((1, 2)) == 10
    assert L.slice_and_offset((1, None)) == L(1, None)


def test_errors():
    with pytest.raises(pycutlet.Error) as caught:
        Layout((4, 2), (1, 8)) @ Layout(3, 3)
    e = caught.value
    assert isinstance(e, ValueError) and str(e) == e.message
    assert e.message.startswith("composition: mode 0 of B has stride 3: steps of 3 in mode 0 of A")
    assert (e.status, e.operation, e.mode, e.numbers) == ("no layout exists", "composition", 0, (3, 4, 3))
    assert e.text is e.at is e.length is None


def test_errors_in_text_have_a_caret():
    text = "coalesce(composition((4,2):(1,8), 3:3))"
    with pytest.raises(pycutlet.Error) as caught:
        pycutlet.evaluate(text)
    e = caught.value
    message, line, caret = str(e).split("\n")
    assert message == e.message and line == "  " + text
    assert caret == "  " + " " * 9 + "^" + "~" * (e.length - 1)
    assert text[e.at:e.at + e.length] == "composition((4,2):(1,8), 3:3)" and e.text == text
    for wrong, at in (("(4,2:", 5), ("coalesc(4)", 0), ("(4,2):(1,8,3)", 0), ("", 0)):
        with pytest.raises(pycutlet.Error) as caught:
            pycutlet.evaluate(wrong)
        assert caught.value.at == at and "^" in str(caught.value)
    with pytest.raises(pycutlet.Error, match="did you mean `coalesce`"):
        Layout("coalesc(4)")


def test_explanations():
    steps = pycutlet.explain(pycutlet.coalesce, Layout("(2,(1,6)):(1,(6,2))"))
    assert steps == pycutlet.explain("coalesce((2,(1,6)):(1,(6,2)))") and steps.endswith("= 12:1\n")
    assert "(2,_)" in pycutlet.explain(pycutlet.slice, (2, None), (4, 8))
    assert "<4:1,_>" in pycutlet.explain(pycutlet.logical_divide, (8, 8), (Layout(4), None))
    with pytest.raises(pycutlet.Error) as caught:
        pycutlet.explain("composition(coalesce((4,2):(1,8)), 3:3)")
    assert "1. coalesce" in caught.value.steps


def test_checks_and_functions():
    assert pycutlet.check("# comment\ncoalesce((2,(1,6)):(1,(6,2))) == 12:1\ncomposition((4,2):(1,8), 3:3) == error") == 2
    with pytest.raises(AssertionError, match="expected"):
        pycutlet.check("coalesce((2,2)) == 5:1")
    assert pycutlet.same(Layout((2, 4)), 8) and not pycutlet.same(Layout((2, 4), (4, 1)), Layout(8))
    with pytest.raises(TypeError):
        pycutlet.same(Layout(4), Swizzle(0, 0, 0))
    assert ("universal128", "copy_atom") in pycutlet.atoms()


def test_nothing_leaks():
    def work():
        for value in VALUES:
            repr(value), hash(value), pickle.dumps(value), pycutlet.evaluate(str(value))
        for bad in ("(4,2:", "composition((4,2):(1,8), 3:3)"):
            try:
                pycutlet.evaluate(bad)
            except pycutlet.Error:
                pass
        Layout((4, (2, 4)), (8, (4, 1))).offsets(), Layout((8, 8)) / (Layout(4, 2), None), E(0, 1) * 3
        L = Layout((4, 8))
        L(2, None), L[0], list(L), pycutlet.make_identity_layout((2, 3)).stride
    for _ in range(3):
        work()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(50):
        work()
    gc.collect()
    assert sys.getallocatedblocks() - before < 40

"""Every operation, called with Python's values, gives what the text notation does."""

import os
import pickle

import pytest

import pycutlet

SOURCE = os.environ.get("CUTLET_SOURCE", os.path.join(os.path.dirname(__file__), "../.."))
FILES = ("tests/conformance/cute.check", "tests/conformance/mma.check", "tests/algebra/edges.check",
         "tests/algebra/arguments.check", "tests/algebra/sources.check")


def parts(text, separator):
    """The parts of a text at a separator outside all brackets."""
    found, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "(<") - (c in ")>")
        if depth == 0 and text.startswith(separator, i):
            found.append(text[begin:i].strip())
            begin = i + len(separator)
    return [*found, text[begin:].strip()]


def called(text):
    """(operation, arguments) of a call alone, None of any other text."""
    name, _, rest = text.partition("(")
    if name not in pycutlet.operations or not rest.endswith(")"):
        return None
    depth = 0
    for i, c in enumerate(rest):  # the parenthesis closes at the end
        depth += (c == "(") - (c == ")")
        if depth < 0:
            return (name, parts(rest[:-1], ",")) if i == len(rest) - 1 else None
    return None


def cases(path):
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        for line in file:
            sides = parts(line.partition("#")[0].strip(), " == ")
            call = called(sides[0]) if len(sides) == 2 else None
            if call:
                yield sides[0], *call, sides[1]


def value(text):
    """An argument: a value where it has one, otherwise the text."""
    return pycutlet.evaluate(text)


def hints():
    """{operation: [(the types of each argument, whether the last repeats, those of the result)]} of the hints."""
    import ast
    with open(os.path.join(os.path.dirname(pycutlet.__file__), "__init__.pyi"), encoding="utf-8") as file:
        tree = ast.parse(file.read())

    def kinds(hint):
        names = set(ast.unparse(hint).split(" | "))
        for alias, parts in (("TilerLike", "Tiler Layout str IntTuple"), ("LayoutLike", "Layout str IntTuple")):
            names |= set(parts.split()) if alias in names else set()
        return names | ({"int"} if "IntTuple" in names else set())

    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            args = node.args
            takes = [kinds(arg.annotation) for arg in args.posonlyargs + ([args.vararg] if args.vararg else [])]
            found.setdefault(node.name, []).append((takes, len(args.defaults), bool(args.vararg), kinds(node.returns)))
    return found


HINTS = hints()


def kind_of(x):
    kind = type(x).__name__
    return "IntTuple" if kind in ("tuple", "NoneType", "Basis") else kind


def hinted(name, values, result):
    """Whether the first hint that takes the values gives the type of the result."""
    for takes, optional, repeats, gives in HINTS[name]:
        takes = takes * len(values) if repeats else takes
        if len(takes) - optional <= len(values) <= len(takes) and \
                all(kind_of(x) in kinds for x, kinds in zip(values, takes)):
            return kind_of(result) in gives or type(result).__name__ in gives
    return False


@pytest.mark.parametrize("path", FILES)
def test_calls_give_what_expressions_do(path):
    count = 0
    for text, name, arguments, expected in cases(path):
        operation = getattr(pycutlet, name)
        try:
            values = [value(argument) for argument in arguments]
        except pycutlet.Error:
            continue  # an argument that fails by itself
        count += 1
        if expected == "error":
            with pytest.raises((pycutlet.Error, TypeError)):
                operation(*values)
            continue
        result = operation(*values)
        assert pycutlet.evaluate(text) == result, text
        assert pycutlet.evaluate(f"{text} == {expected}") is True, text
        assert hinted(name, values, result), (text, result)
        assert operation(*arguments) == result, text  # arguments as text
        method = getattr(values[0], name, None) if not isinstance(values[0], (tuple, int, str)) else None
        if callable(method) and not isinstance(values[0], type(None)):
            assert method(*values[1:]) == result, text
    assert count >= {"tests/conformance/cute.check": 5000}.get(path, 40), count


def test_every_operation_is_a_function():
    for name in pycutlet.operations:
        operation = getattr(pycutlet, name)
        assert operation.__name__ == name
        assert operation.__doc__.startswith(name + "(")
        builtin = name in ("rank", "depth", "size", "cosize")  # which the interpreter calls faster
        assert repr(operation) == (f"<built-in function {name}>" if builtin else f"<operation {name}>")
        method = vars(pycutlet.Layout).get(name)
        for function in (operation, method if callable(method) else operation):
            assert pickle.loads(pickle.dumps(function)) is function
        with pytest.raises(TypeError):
            operation(*[pycutlet.Swizzle(0, 0, 0)] * 9)


def test_hints_are_those_of_the_table():
    import importlib.util
    spec = importlib.util.spec_from_file_location("stubs", os.path.join(os.path.dirname(__file__), "stubs.py"))
    stubs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(stubs)
    with open(stubs.STUB, encoding="utf-8") as file:
        text = file.read()
    assert text.endswith(stubs.MARK + stubs.written(pycutlet)), "run tests/python/stubs.py --update"
    for name in dir(pycutlet):
        if not name.startswith("_") and name not in HINTS and name != "pycute":
            assert f"class {name}" in text or f"\n{name}: " in text, name


def test_arguments_that_do_not_fit():
    L = pycutlet.Layout((4, 8), (8, 1))
    with pytest.raises(TypeError, match="complement: argument 2 must be an integer, not a swizzle"):
        pycutlet.complement(L, pycutlet.Swizzle(3, 3, 3))
    with pytest.raises(TypeError, match=r"size takes .*; 2 arguments are given"):
        pycutlet.size(L, L)
    with pytest.raises(TypeError, match="no keyword"):
        pycutlet.coalesce(layout=L)
    with pytest.raises(TypeError, match="not float"):
        pycutlet.complement(L, 2.0)
    with pytest.raises(OverflowError):
        pycutlet.complement(L, 1 << 70)
    with pytest.raises(pycutlet.Error, match="16"):
        pycutlet.flatten(tuple(range(1, 20)))
    nested = 1
    for _ in range(100):
        nested = (nested,)
    with pytest.raises(ValueError, match="too deep"):
        pycutlet.flatten(nested)
    with pytest.raises(ValueError, match="empty tuple"):
        pycutlet.flatten((1, ()))

"""CuTe's layout algebra: layouts, tensors, swizzles, tiled copies and MMAs as values.

    >>> import pycutlet
    >>> L = pycutlet.Layout((4, 8), (8, 1))
    >>> L(2, 3), L @ "(2,4):(1,2)"
    (19, Layout('(2,(2,2)):(8,(16,1))'))

Every operation of the text notation is a function of this module, by CuTe's name, and a method of the
types that it takes first. An argument may be written as text. An operation that has no exact result
raises Error, which says why.
"""

import builtins as _builtins

from ._core import *
from . import _core
from ._arrays import Plan, copy, layout_of, relayout
from ._command import command, compare, convert, explain_copy, explain_descriptor, explain_tma, gemm, report
from ._core import Error, __version__
from ._draw import Picture, draw
from ._kernel import check_kernel
from ._model import (Finding, Report, Suggestion, Suggestions, Traffic, access, bank_conflicts, cycles, is_bijective,
                     is_injective, suggest, verify)
if hasattr(_core, "_redistribution"):  # a build may lack it: -Dredistribute
    from ._redistribute import Engine, NcclComm, Redistribution, nccl_id, redistribute, shards

#: The names of all operations.
operations = tuple(_core.operations)


def explain(what, *arguments):
    """How an operation gets its result, step by step: of an expression in text, or of an operation and
    its arguments.

    Where an operation fails, the exception has the steps up to there in `steps`.
    """
    if isinstance(what, str):
        return _core._explain_text(what)
    return _core._explain_text(f"{what.__name__}({', '.join(map(_text, arguments))})")


def _text(value):
    """A value in the notation."""
    if value is None:
        return "_"
    if isinstance(value, (tuple, list)):
        tiler = any(isinstance(part, (Layout, Tiler)) for part in value)
        return ("<%s>" if tiler else "(%s)") % ",".join(map(_text, value))
    return str(value)


def check(text, name="check"):
    """Checks the lines of a text, each an assertion as `coalesce((2,(1,6)):(1,(6,2))) == 12:1`, a
    comparison by `==` or `~`, or `== error`. Returns how many there are; raises AssertionError with a
    report of those that do not hold.
    """
    passed, failed, report = _core._check_text(text, name)
    if failed:
        raise AssertionError(report.rstrip("\n"))
    return passed


#: What `from pycutlet import *` gives: eval, filter and slice stay those of Python.
__all__ = [_name for _name in dir() if _name[0] != "_" and not hasattr(_builtins, _name)]

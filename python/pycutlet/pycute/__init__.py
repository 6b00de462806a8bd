"""pycute's names on the compiled algebra: `from pycutlet.pycute import *` stands for `from pycute import *`.

Results are pycute's. Where the algebra refuses, because no exact layout exists or none is determined, what
pycute's definition says is computed here: a coordinate past its shape goes on along the last mode, and a
complement or an inverse covers as much as it can. A composition that is not exact is an error.
"""

from .int_tuple import *
from .layout import *
from .swizzle import *
from .typing import *

__all__ = [
    "ComposedLayout", "Integer", "Layout", "LayoutBase", "Swizzle", "coalesce", "complement", "composition",
    "cosize", "crd2crd", "crd2idx", "elem_scale", "filter", "flatten", "has_none", "hier_unzip", "idx2crd",
    "inner_product", "is_int", "is_layout", "is_tuple", "left_inverse", "logical_divide", "logical_product",
    "make_layout", "prefix_product", "product", "right_inverse", "shape_div", "shiftl", "shiftr", "signum",
    "size", "slice_", "slice_and_offset", "tiled_divide", "tiled_product", "tuple_max", "zipped_divide",
    "zipped_product",
]

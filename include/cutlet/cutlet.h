/**
 * The whole algebra, the tiled copy and the tiled MMA as data: everything that works on the host, in constant
 * expressions and in device code.
 */
#ifndef CUTLET_CUTLET_H
#define CUTLET_CUTLET_H

#include "base.h"
#include "profile.h"
#include "tuple.h"
#include "tuple_parts.h"
#include "tuple_ops.h"
#include "shape_ops.h"
#include "layout.h"
#include "build.h"
#include "layout_ops.h"
#include "coord.h"
#include "make.h"
#include "size.h"
#include "by_mode.h"
#include "coalesce.h"
#include "tiler.h"
#include "composition.h"
#include "complement.h"
#include "inverse.h"
#include "divide.h"
#include "product.h"
#include "cast.h"
#include "swizzle.h"
#include "tensor.h"
#include "tensor_ops.h"
#include "partition.h"
#include "vector.h"
#include "distribute.h"
#include "combine.h"
#include "normalize.h"
#include "copy_atom.h"
#include "tiled_copy.h"
#include "thread_values.h"
#include "copy_width.h"
#include "copy_partition.h"
#include "mma_atom.h"
#include "tiled_mma.h"
#include "mma_partition.h"

#endif

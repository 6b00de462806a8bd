/**
 * The algebra, tiled copies and tiled MMAs as data: everything that works on the host, in constant
 * expressions and in device code.
 */
#ifndef CUTLET_CUTLET_H
#define CUTLET_CUTLET_H

#include <cutlet/algebra/base.h>
#include <cutlet/algebra/profile.h>
#include <cutlet/algebra/tuple.h>
#include <cutlet/algebra/tuple_parts.h>
#include <cutlet/algebra/basis_sum.h>
#include <cutlet/algebra/tuple_ops.h>
#include <cutlet/algebra/tuple_order.h>
#include <cutlet/algebra/shape_ops.h>
#include <cutlet/algebra/shape_product.h>
#include <cutlet/algebra/layout.h>
#include <cutlet/algebra/build.h>
#include <cutlet/algebra/layout_ops.h>
#include <cutlet/algebra/coord.h>
#include <cutlet/algebra/make.h>
#include <cutlet/algebra/size.h>
#include <cutlet/algebra/by_mode.h>
#include <cutlet/algebra/coalesce.h>
#include <cutlet/algebra/tiler.h>
#include <cutlet/algebra/composition_trial.h>
#include <cutlet/algebra/composition.h>
#include <cutlet/algebra/sort.h>
#include <cutlet/algebra/complement.h>
#include <cutlet/algebra/coshape.h>
#include <cutlet/algebra/complement_shape.h>
#include <cutlet/algebra/inverse_trial.h>
#include <cutlet/algebra/inverse.h>
#include <cutlet/algebra/divide.h>
#include <cutlet/algebra/product.h>
#include <cutlet/algebra/cast.h>
#include <cutlet/algebra/swizzle.h>
#include <cutlet/algebra/tensor.h>
#include <cutlet/algebra/tensor_inverse.h>
#include <cutlet/algebra/tensor_ops.h>
#include <cutlet/algebra/tensor_product.h>
#include <cutlet/algebra/linear_layout.h>
#include <cutlet/algebra/tensor_composition.h>
#include <cutlet/algebra/partition.h>
#include <cutlet/algebra/vector.h>
#include <cutlet/algebra/distribute.h>
#include <cutlet/algebra/combine.h>
#include <cutlet/algebra/normalize.h>
#include <cutlet/copy/copy_atom.h>
#include <cutlet/copy/tiled_copy.h>
#include <cutlet/copy/thread_values.h>
#include <cutlet/copy/own_copy_atom.h>
#include <cutlet/copy/retile.h>
#include <cutlet/copy/copy_check.h>
#include <cutlet/copy/copy_width.h>
#include <cutlet/copy/copy_choice.h>
#include <cutlet/copy/copy_partition.h>
#include <cutlet/copy/predicated_partition.h>
#include <cutlet/mma/mma_atom.h>
#include <cutlet/mma/mma_swizzle.h>
#include <cutlet/mma/mma_runs.h>
#include <cutlet/mma/mma_descriptor.h>
#include <cutlet/mma/mma_descriptor_bits.h>
#include <cutlet/mma/mma_instruction.h>
#include <cutlet/mma/mma_descriptor_nearest.h>
#include <cutlet/mma/own_mma_atom.h>
#include <cutlet/mma/tiled_mma.h>
#include <cutlet/mma/mma_partition.h>
#include <cutlet/err.h>

#endif

/**
 * @internal The kernels of plans inside libcutlet: one for all plans of each engine, whose argument
 * is the plan, and those for sector-aligned tiles.
 */
#ifndef CUTLET_PLAN_KERNELS_ENGINES_H
#define CUTLET_PLAN_KERNELS_ENGINES_H

#define CT_OF_PLAN 1
#include "box_at_launch.h"
#include "indexed.h"
#include "misaligned.h"
#include "sectors.h"
#include "vectors.h"

/* E(engine, args, move, threads, blocks): kernel ct_ENGINE_any takes the plan as `args`, and has resident blocks
 * of at most that many threads. */
#define CT_PLAN_ENGINES(E)                                                                         \
    E(box, ct_box_args, ct_box_move_at_launch, 512, 2)                                             \
    E(vectors, ct_vectors, ct_vectors_move, 256, 1)                                                \
    E(indexed, ct_indexed, ct_indexed_move, 256, 1)                                                \
    E(misaligned, ct_misaligned, ct_misaligned_move, 384, 3)

#endif

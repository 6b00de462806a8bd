/**
 * What an MMA atom and a tiled MMA consist of. Their functions are in mma_atom.h and tiled_mma.h.
 */
#ifndef CUTLET_MMA_MMA_VALUES_H
#define CUTLET_MMA_MMA_VALUES_H

#include <cutlet/algebra/tiler.h>
#include <cutlet/mma/mma_op.h>

/** An MMA atom. The layouts map (thread of the atom, value of the thread) to an element. A is
 * (m,k), or (m,k/2) if sparse, B is (n,k), C and D are (m,n). A value is an element. */
typedef struct ct_mma_atom {
    ct_error err;
    ct_mma_op op;     /* the instruction */
    ct_layout thr_id; /* thread of the atom -> thread */
    ct_layout a_tv, b_tv, c_tv;
} ct_mma_atom;

/** A tiled MMA: an atom repeated over threads. */
typedef struct ct_tiled_mma {
    ct_mma_atom atom;
    ct_layout atoms; /* (m,n,k) -> number of the atom: the layout of the threads, in atoms */
    ct_layout thr;   /* (thread of the atom, m, n, k) -> thread */
    ct_tiler tiler;  /* of m, n and k: the tile, and the atoms' order of its elements */
} ct_tiled_mma;

#endif

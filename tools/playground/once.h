/**
 * Read before anything else of each file that the playground compiles: a function of the algebra
 * is then `inline` with external linkage, and only algebra.c, which defines CT_PLAY_EMIT, has its
 * code. As `static inline` each file would carry its own, and the download be several times larger.
 */
#ifndef CUTLET_TOOLS_PLAYGROUND_ONCE_H
#define CUTLET_TOOLS_PLAYGROUND_ONCE_H

#include <cutlet/algebra/base.h>

#undef CT_FN
#ifdef CT_PLAY_EMIT
#define CT_FN extern inline
#else
#define CT_FN inline
#endif

#endif

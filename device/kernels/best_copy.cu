/* The fastest global -> shared -> global copies. Each kernel is a row of best_copies.h; a file that
 * includes this one may define fewer of them. */
#include "../best_copy.h"
#include "best_copies.h"

#define KERNEL(threads, accesses, how)                                                \
    KERNEL_OF(ct_best_copy_##threads##x##accesses##_##how, threads,                   \
              ct_best_copy_tiling_of(CT_BEST_COPY_##how, threads, accesses))
#define KERNEL_OF(name, threads, ...)                                                 \
    CT_KERNEL_THREADS(name, threads, ct_best_copy_args, args)                         \
    {                                                                                 \
        CT_STATIC(ct_best_copy_tiling, plan, __VA_ARGS__);                              \
        CT_SHARED_DYNAMIC(unsigned char, tile);                                       \
        ct_best_copy(&plan, &args, tile);                                             \
    }

#ifndef CT_BEST_COPIES_WANTED
#define CT_BEST_COPIES_WANTED CT_BEST_COPIES
#endif

CT_BEST_COPIES_WANTED(KERNEL)

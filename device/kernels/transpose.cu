/* Transposes through shared memory. A kernel is a row of transposes.h.
 *
 * A launch has the threads of its row, the grid of ct_transpose_grid_of, and dynamic shared memory of
 * ct_transpose_shared_bytes. */
#include "../transpose.h"
#include "transposes.h"

/* One kernel; a macro, because C has no other way to write a function down for a list of constants. */
#define KERNEL_OF(name, threads, ...)                                                    \
    CT_KERNEL_THREADS(name, threads, ct_transpose_args, args)                            \
    {                                                                                    \
        CT_STATIC(ct_transpose_plan, plan, ct_transpose_plan_of(__VA_ARGS__));           \
        CT_STATIC(ct_transpose_plan, careful, ct_transpose_careful_plan(__VA_ARGS__));   \
        CT_SHARED_DYNAMIC(unsigned char, tile);                                          \
        ct_transpose(&plan, &careful, &args, tile);                                      \
    }
#define KERNEL(bytes, rows, cols, threads, ...)                            \
    KERNEL_OF(CT_TRANSPOSE_NAME(bytes, rows, cols, threads, __VA_ARGS__), threads, \
              CT_TRANSPOSE_JOB(bytes, rows, cols, threads, __VA_ARGS__))

CT_TRANSPOSES(KERNEL)

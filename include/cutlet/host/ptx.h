/**
 * PTX on the CPU grid: kernels as nvcc, Triton or a CuTe program leaves them, run without a GPU.
 *
 * A text of PTX is read once: each of its kernels is then a kernel of grid.h, and ct_grid_launch runs
 * it with all checks, records and schedules. Mistakes and rows name the line of the source where the
 * text has `.loc` (nvcc -lineinfo, Triton), else the line of the PTX. Among the lines that are inlined
 * into each other it is the innermost of the kernel's own file; the innermost of all follows in
 * parentheses.
 *
 * An instruction that is not known is an error of ct_ptx_load, with its line and its name. Results
 * are those of a GPU to the last bit, but for approximate functions (`ex2.approx`), which are rounded
 * to nearest: that is within the error that the PTX ISA allows. NaNs have the bits of the PTX ISA.
 * The argument of a kernel is the structure of its parameters, each at its own alignment.
 * Variables in global memory begin each launch with their initial values. Not supported are calls
 * through an address and tcgen05; vprintf prints nothing.
 *
 * Releases, acquires and fences order accesses by their scope. Where a text has some of the GPU's
 * scope, up to 32 blocks run together, of up to 4096 threads in all, and may wait for each other. A
 * block may also wait for one of those that ran before. What those have done counts as ordered once
 * a thread acquires what one of them released.
 *
 * Blocks run on several cores, as many as CUTLET_THREADS says or the program may use, where a kernel has none
 * of these, no calls, and no atomic operation or variable in global memory. Results, reports and messages
 * are the same as by one.
 *
 *     ct_ptx *const module = ct_ptx_load(text, message);
 *     const ct_grid_kernel *const kernel = module ? ct_ptx_kernel(module, "copy") : NULL;
 *     if (kernel) ct_grid_launch(kernel, grid, block, 0, &args, sizeof args, &options, &report);
 *     ct_ptx_free(module);
 *
 * Used by:  tests/ptx/test_ptx.c, tests/ptx/ptx_text.h
 * Source:   NVIDIA, PTX ISA 9.0.
 */
#ifndef CUTLET_HOST_PTX_H
#define CUTLET_HOST_PTX_H

#include <stdint.h>

#include <cutlet/host/grid.h>
#include <cutlet/host/message.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The kernels of a text of PTX. */
typedef struct ct_ptx ct_ptx;

/** A parameter of a kernel: where it lies in the argument. */
typedef struct ct_ptx_param {
    const char *name;
    const char
        *type; /* as in the text, without the dot: `u64`; of an array, that of its elements */
    int32_t offset_bytes, bytes;
    int32_t is_array;
} ct_ptx_param;

/**
 * Reads a text of PTX.
 *
 * Returns:  the module, which ct_ptx_free releases, or NULL and the line in `message`.
 * Fails:    `line N: ...`: an instruction, a type or a directive that is not known, operands that do
 *           not fit, a name that is not declared; no memory.
 * Cost:     O(length of the text); the text is not needed afterwards.
 */
ct_ptx *ct_ptx_load(const char *text, char message[CT_MESSAGE_BYTES]);

/**
 * Releases a module, whose kernels and names end with it. NULL is allowed.
 * Cost:     O(1).
 */
void ct_ptx_free(ct_ptx *module);

/**
 * A kernel of the module by its name, or NULL where it has none of this name.
 * Cost:     O(kernels).
 */
const ct_grid_kernel *ct_ptx_kernel(const ct_ptx *module, const char *name);

/**
 * Kernel number i of the module, in the order of the text; NULL from the last one on.
 * Cost:     O(1).
 */
const ct_grid_kernel *ct_ptx_kernel_at(const ct_ptx *module, int32_t i);

/**
 * Parameter number i of a kernel of a module, whose name is NULL from the last one on.
 * Cost:     O(1).
 */
ct_ptx_param ct_ptx_param_at(const ct_grid_kernel *kernel, int32_t i);

/**
 * The most instructions of a thread, after which a launch ends: CT_GRID_E_DEADLOCK. 0: 2^30.
 * Cost:     O(1).
 */
void ct_ptx_limit(ct_ptx *module, int64_t instructions);

#ifdef __cplusplus
}
#endif

#endif

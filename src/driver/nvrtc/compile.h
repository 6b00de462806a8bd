/**
 * Kernels from text: CUDA C becomes a cubin while the program runs, with the headers inside
 * libcutlet.
 *
 *     void *cubin;
 *     size_t bytes;
 *     char message[CT_MESSAGE_BYTES];
 *     if (ct_nvrtc_compile("#include \"kernel.h\"\n...", 90, &cubin, &bytes, message)) ...
 *     free(cubin);
 *
 * Any number of threads may compile at the same time.
 */
#ifndef CUTLET_SRC_DRIVER_NVRTC_COMPILE_H
#define CUTLET_SRC_DRIVER_NVRTC_COMPILE_H

#include <stddef.h>
#include <stdint.h>

#include <cutlet/host/plan.h>

/**
 * Compiles source, which includes headers as `kernel.h` and `cutlet/copy/tma.h`, for the
 * architecture sm_<arch>.
 *
 * Ensures:  CT_OK and *cubin, which the caller frees; otherwise *cubin is NULL. message may be
 *           NULL.
 * Fails:    CT_E_FAILED: the compiler's first error and its place. CT_E_BACKEND: why no compiler
 *           was found. CT_E_MEMORY.
 */
ct_status ct_nvrtc_compile(const char *source, int arch, void **cubin, size_t *bytes,
                           char message[CT_MESSAGE_BYTES]);

/** The compiler's version, 13000 for 13.0; 0 without a compiler. The first call opens the library,
 *  which takes milliseconds. */
int ct_nvrtc_version(void);

/** A number of all that decides what a source becomes, but for the compiler's version and the
 *  architecture: the options and the headers inside. Part of the key of a cached cubin. */
uint64_t ct_nvrtc_fingerprint(void);

#endif

/**
 * The part of NVRTC, NVIDIA's compiler as a library, that libcutlet uses, found in the library at
 * run time. The prototypes are our own, so that no CUDA header is needed: handles are void *,
 * enumerations int. Source: NVIDIA, NVRTC documentation, version 13.0.
 */
#ifndef CUTLET_SRC_DRIVER_NVRTC_LIBRARY_H
#define CUTLET_SRC_DRIVER_NVRTC_LIBRARY_H

#include <stddef.h>

/** D(member, symbol, parameters) */
#define CT_NVRTC_FUNCTIONS(D)                                                                      \
    D(version, "nvrtcVersion", (int *major, int *minor))                                           \
    D(create, "nvrtcCreateProgram",                                                                \
      (void **program, const char *source, const char *name, int headers,                          \
       const char *const *texts, const char *const *names))                                        \
    D(destroy, "nvrtcDestroyProgram", (void **program))                                            \
    D(compile, "nvrtcCompileProgram", (void *program, int count, const char *const *options))      \
    D(log_bytes, "nvrtcGetProgramLogSize", (void *program, size_t *bytes))                         \
    D(log, "nvrtcGetProgramLog", (void *program, char *text))                                      \
    D(cubin_bytes, "nvrtcGetCUBINSize", (void *program, size_t *bytes))                            \
    D(cubin, "nvrtcGetCUBIN", (void *program, char *cubin))

#define CT_NVRTC_MEMBER(member, symbol, parameters) int(*member) parameters;
typedef struct ct_nvrtc {
    void *library;
    int number; /* 13000 is version 13.0 */
    const char *(*error_text)(int result);
    CT_NVRTC_FUNCTIONS(CT_NVRTC_MEMBER)
} ct_nvrtc;
#undef CT_NVRTC_MEMBER

/** The library, which the first call opens and nothing closes; or NULL and in line why not. The
 *  variable CUTLET_NVRTC names another one; empty or 0 turns it off. Any thread may call it. */
const ct_nvrtc *ct_nvrtc_open(char *message);

/** Whether CUTLET_NVRTC turns compilation off. */
int ct_nvrtc_is_off(void);

#endif

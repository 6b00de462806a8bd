/**
 * The part of NCCL that libcutlet uses, found in the library at run time. The prototypes are our
 * own, so that no header of NCCL is needed: communicators and streams are void *, enumerations int.
 * Source: NVIDIA, NCCL documentation, version 2.28.
 */
#ifndef CUTLET_SRC_DRIVER_NCCL_LIBRARY_H
#define CUTLET_SRC_DRIVER_NCCL_LIBRARY_H

#include <stddef.h>

/** The results that are distinguished, and the type of bytes. */
enum { CT_NCCL_OK = 0, CT_NCCL_IN_PROGRESS = 7, CT_NCCL_UINT8 = 1 };

/** D(member, symbol, parameters): every version has it. */
#define CT_NCCL_REQUIRED(D)                                                                        \
    D(version, "ncclGetVersion", (int *version))                                                   \
    D(comm_count, "ncclCommCount", (const void *comm, int *count))                                 \
    D(comm_rank, "ncclCommUserRank", (const void *comm, int *rank))                                \
    D(comm_device, "ncclCommCuDevice", (const void *comm, int *device))                            \
    D(comm_error, "ncclCommGetAsyncError", (void *comm, int *error))                               \
    D(comm_abort, "ncclCommAbort", (void *comm))                                                   \
    D(send, "ncclSend",                                                                            \
      (const void *src, size_t count, int type, int peer, void *comm, void *stream))               \
    D(receive, "ncclRecv",                                                                         \
      (void *dst, size_t count, int type, int peer, void *comm, void *stream))                     \
    D(group_start, "ncclGroupStart", (void))                                                       \
    D(group_end, "ncclGroupEnd", (void))

/** Newer versions have it: version 2.19 and later; else NULL. */
#define CT_NCCL_OPTIONAL(D)                                                                        \
    D(comm_register, "ncclCommRegister",                                                           \
      (const void *comm, void *memory, size_t bytes, void **handle))                               \
    D(comm_deregister, "ncclCommDeregister", (const void *comm, void *handle))

#define CT_NCCL_MEMBER(member, symbol, parameters) int(*member) parameters;
typedef struct ct_nccl {
    void *library;
    int number; /* 22809 is version 2.28.9 */
    const char *(*error_text)(int result);
    CT_NCCL_REQUIRED(CT_NCCL_MEMBER)
    CT_NCCL_OPTIONAL(CT_NCCL_MEMBER)
} ct_nccl;
#undef CT_NCCL_MEMBER

/** The library, which the first call opens and nothing closes; or NULL and in line why not. One that
 *  the program has loaded already, as PyTorch does, is taken. The variable CUTLET_NCCL names another
 *  one; empty or 0 turns it off. Any thread may call it. */
const ct_nccl *ct_nccl_open(char *message);

#endif

/**
 * The part of the CUDA driver API that libcutlet uses, found in the driver's library at run time.
 *
 * The prototypes are our own, so that no CUDA header is needed: handles are void *, enumerations
 * int, device addresses uint64_t. Source: NVIDIA, CUDA Driver API reference, version 13.0.
 */
#ifndef CUTLET_SRC_DRIVER_CUDA_DRIVER_H
#define CUTLET_SRC_DRIVER_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include <cutlet/host/message.h>

/** The results that are distinguished. */
enum {
    CT_DRIVER_OK = 0,
    CT_DRIVER_OUT_OF_MEMORY = 2,
    CT_DRIVER_NO_DEVICE = 100,
    CT_DRIVER_NO_BINARY = 209,
    CT_DRIVER_NOT_FOUND = 500,
    CT_DRIVER_NOT_READY = 600,
    CT_DRIVER_FIRST_FAULT = 700, /* 700 to 799: a kernel went wrong while it ran */
    CT_DRIVER_LAST_FAULT = 799,
    CT_DRIVER_PEER_ENABLED = 704,  /* of them: access to a peer's memory was allowed before */
    CT_DRIVER_FIRST_CAPTURE = 900, /* 900 to 908: a stream is being captured */
    CT_DRIVER_LAST_CAPTURE = 908
};

/** Attributes of a device, of a kernel, and options of the loader. */
enum {
    CT_DEVICE_PROCESSORS = 16,
    CT_DEVICE_L2_BYTES = 38,
    CT_DEVICE_MAJOR = 75,
    CT_DEVICE_MINOR = 76,
    CT_DEVICE_SHARED_BYTES = 97,
    CT_FUNCTION_MAX_THREADS = 0,
    CT_FUNCTION_SHARED_BYTES = 1,
    CT_FUNCTION_LOCAL_BYTES = 3,
    CT_FUNCTION_REGISTERS = 4,
    CT_FUNCTION_DYNAMIC_BYTES = 8,
    CT_FUNCTION_CARVEOUT = 9,
    CT_LOADER_LOG = 5,
    CT_LOADER_LOG_BYTES = 6,
    CT_STREAM_SEPARATE = 1, /* takes no part in the default stream */
    CT_EVENT_UNTIMED = 2,   /* orders streams only */
    CT_MEMORY_UNIFIED = 4,  /* an address that says itself where it is */
    CT_IPC_LAZY = 1         /* access to the peer's memory is allowed with the first copy */
};

/** One side of a copy of rows: CUDA_MEMCPY2D has two, and the size. */
typedef struct ct_driver_rows_side {
    size_t first_byte, first_row;
    int type; /* CT_MEMORY_UNIFIED */
    void *host;
    uint64_t address;
    void *array;
    size_t pitch; /* bytes from a row to the next */
} ct_driver_rows_side;

typedef struct ct_driver_rows {
    ct_driver_rows_side src, dst;
    size_t row_bytes, rows;
} ct_driver_rows;

/** A handle by which another process opens memory of a device. */
typedef struct ct_driver_ipc {
    unsigned char bytes[64];
} ct_driver_ipc;

/** D(member, symbol, parameters): every driver has it. */
#define CT_DRIVER_REQUIRED(D)                                                                      \
    D(init, "cuInit", (unsigned flags))                                                            \
    D(version, "cuDriverGetVersion", (int *version))                                               \
    D(error_name, "cuGetErrorName", (int result, const char **name))                               \
    D(error_text, "cuGetErrorString", (int result, const char **text))                             \
    D(device_count, "cuDeviceGetCount", (int *count))                                              \
    D(device_get, "cuDeviceGet", (int *device, int ordinal))                                       \
    D(device_name, "cuDeviceGetName", (char *name, int bytes, int device))                         \
    D(device_memory, "cuDeviceTotalMem_v2", (size_t * bytes, int device))                          \
    D(device_attribute, "cuDeviceGetAttribute", (int *value, int attribute, int device))           \
    D(context_retain, "cuDevicePrimaryCtxRetain", (void **context, int device))                    \
    D(context_release, "cuDevicePrimaryCtxRelease_v2", (int device))                               \
    D(context_push, "cuCtxPushCurrent_v2", (void *context))                                        \
    D(context_pop, "cuCtxPopCurrent_v2", (void **context))                                         \
    D(context_wait, "cuCtxSynchronize", (void))                                                    \
    D(module_load, "cuModuleLoadDataEx",                                                           \
      (void **module, const void *image, unsigned count, const int *options, void **values))       \
    D(module_unload, "cuModuleUnload", (void *module))                                             \
    D(module_function, "cuModuleGetFunction", (void **function, void *module, const char *name))   \
    D(function_attribute, "cuFuncGetAttribute", (int *value, int attribute, void *function))       \
    D(function_set, "cuFuncSetAttribute", (void *function, int attribute, int value))              \
    D(function_resident, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                            \
      (int *blocks, void *function, int threads, size_t shared_bytes))                             \
    D(launch, "cuLaunchKernel",                                                                    \
      (void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,            \
       unsigned bz, unsigned shared_bytes, void *stream, void **parameters, void **extra))         \
    D(memory_alloc, "cuMemAlloc_v2", (uint64_t * address, size_t bytes))                           \
    D(memory_free, "cuMemFree_v2", (uint64_t address))                                             \
    D(upload, "cuMemcpyHtoDAsync_v2", (uint64_t dst, const void *src, size_t bytes, void *stream)) \
    D(download, "cuMemcpyDtoHAsync_v2", (void *dst, uint64_t src, size_t bytes, void *stream))     \
    D(copy, "cuMemcpyDtoDAsync_v2", (uint64_t dst, uint64_t src, size_t bytes, void *stream))      \
    D(fill, "cuMemsetD8Async", (uint64_t dst, unsigned char value, size_t bytes, void *stream))    \
    D(stream_create, "cuStreamCreate", (void **stream, unsigned flags))                            \
    D(stream_destroy, "cuStreamDestroy_v2", (void *stream))                                        \
    D(stream_wait, "cuStreamSynchronize", (void *stream))                                          \
    D(event_create, "cuEventCreate", (void **event, unsigned flags))                               \
    D(event_destroy, "cuEventDestroy_v2", (void *event))                                           \
    D(event_record, "cuEventRecord", (void *event, void *stream))                                  \
    D(event_elapsed, "cuEventElapsedTime", (float *milliseconds, void *from, void *to))

/** Newer drivers have it; NULL in the others. */
#define CT_DRIVER_OPTIONAL(D)                                                                      \
    D(function_parameter, "cuFuncGetParamInfo",                                                    \
      (void *function, size_t index, size_t *at, size_t *bytes))                                   \
    D(context_current, "cuCtxGetCurrent", (void **context))                                        \
    D(context_device, "cuCtxGetDevice", (int *device))                                             \
    D(stream_captures, "cuStreamIsCapturing", (void *stream, int *captures))                       \
    D(pointer_attribute, "cuPointerGetAttribute", (void *value, int attribute, uint64_t address))  \
    D(copy_rows, "cuMemcpy2DAsync_v2", (const ct_driver_rows *rows, void *stream))                 \
    D(stream_follow, "cuStreamWaitEvent", (void *stream, void *event, unsigned flags))             \
    D(stream_query, "cuStreamQuery", (void *stream))                                               \
    D(event_query, "cuEventQuery", (void *event))                                                  \
    D(event_wait, "cuEventSynchronize", (void *event))                                             \
    D(peer_can, "cuDeviceCanAccessPeer", (int *can, int device, int peer))                         \
    D(peer_enable, "cuCtxEnablePeerAccess", (void *context, unsigned flags))                       \
    D(ipc_handle, "cuIpcGetMemHandle", (ct_driver_ipc * handle, uint64_t address))                 \
    D(ipc_open, "cuIpcOpenMemHandle_v2",                                                           \
      (uint64_t * address, ct_driver_ipc handle, unsigned flags))                                  \
    D(ipc_close, "cuIpcCloseMemHandle", (uint64_t address))                                        \
    D(memory_range, "cuMemGetAddressRange_v2",                                                     \
      (uint64_t * base, size_t * bytes, uint64_t address))                                         \
    D(tensor_map, "cuTensorMapEncodeTiled",                                                        \
      (void *map, int elem, uint32_t rank, uint64_t address, const uint64_t *extents,              \
       const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,        \
       int swizzle, int l2, int fill))

#define CT_DRIVER_MEMBER(member, symbol, parameters) int(*member) parameters;
typedef struct ct_driver {
    void *library;
    CT_DRIVER_REQUIRED(CT_DRIVER_MEMBER)
    CT_DRIVER_OPTIONAL(CT_DRIVER_MEMBER)
} ct_driver;
#undef CT_DRIVER_MEMBER

/** Opens the driver's library and finds the functions. CT_E_BACKEND without a driver of use. */
ct_status ct_driver_load(ct_driver *driver, char *message);

/** Closes the library. */
void ct_driver_unload(ct_driver *driver);

/** Whether a result says that a stream is being captured, in the way of what was asked for. */
static inline int ct_driver_captures(int result)
{
    return result >= CT_DRIVER_FIRST_CAPTURE && result <= CT_DRIVER_LAST_CAPTURE;
}

/** Writes what a result means: `out of memory (CUDA_ERROR_OUT_OF_MEMORY)`. */
void ct_driver_explain(const ct_driver *driver, int result, char *text, size_t bytes);

#endif

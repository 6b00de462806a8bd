/* NVRTC knows size_t, ptrdiff_t and NULL without a header; it has no offsetof. */
#ifndef CUTLET_SRC_DRIVER_NVRTC_STAND_IN_STDDEF_H
#define CUTLET_SRC_DRIVER_NVRTC_STAND_IN_STDDEF_H
#endif

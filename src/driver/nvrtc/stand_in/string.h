/* NVRTC knows memcpy and memset without a header. */
#ifndef CUTLET_SRC_DRIVER_NVRTC_STAND_IN_STRING_H
#define CUTLET_SRC_DRIVER_NVRTC_STAND_IN_STRING_H
#endif

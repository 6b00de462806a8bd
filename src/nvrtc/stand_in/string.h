/* NVRTC knows memcpy and memset without a header. */
#ifndef CUTLET_STAND_IN_STRING_H
#define CUTLET_STAND_IN_STRING_H
#endif

/* NVRTC knows the functions of math.h without a header. */
#ifndef CUTLET_SRC_DRIVER_NVRTC_STAND_IN_MATH_H
#define CUTLET_SRC_DRIVER_NVRTC_STAND_IN_MATH_H
#endif

/* What NVRTC, which has no headers of C, needs of this one. The size of long is not the same in
 * all its builds. */
#ifndef CUTLET_SRC_DRIVER_NVRTC_STAND_IN_LIMITS_H
#define CUTLET_SRC_DRIVER_NVRTC_STAND_IN_LIMITS_H

#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-SCHAR_MAX - 1)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-SHRT_MAX - 1)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX ((long)(ULONG_MAX >> 1))
#define LONG_MIN (-LONG_MAX - 1)
#define ULONG_MAX (~0ul)
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-LLONG_MAX - 1)
#define ULLONG_MAX 18446744073709551615ull

#endif

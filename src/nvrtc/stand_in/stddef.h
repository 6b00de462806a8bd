/* What NVRTC, which has no headers of C but knows size_t, needs of this one. */
#ifndef CUTLET_STAND_IN_STDDEF_H
#define CUTLET_STAND_IN_STDDEF_H

typedef long ptrdiff_t;

#define NULL 0
#define offsetof(type, member) __builtin_offsetof(type, member)

#endif

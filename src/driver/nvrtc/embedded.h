/**
 * The headers inside libcutlet, for kernels that are compiled at run time. The build writes the
 * table from device/, include/cutlet/ and stand_in/ (embed.awk).
 */
#ifndef CUTLET_SRC_DRIVER_NVRTC_EMBEDDED_H
#define CUTLET_SRC_DRIVER_NVRTC_EMBEDDED_H

/** A header by the name that includes it, `kernel.h` or `cutlet/algebra/base.h`. */
typedef struct ct_embedded_header {
    const char *name, *text;
} ct_embedded_header;

extern const ct_embedded_header ct_embedded[];
extern const int ct_embedded_count;

/** At least the number of headers. */
enum { CT_EMBEDDED_MAX = 192 };

/** Writes the names and the texts of all headers that source includes, directly or through others.
 *  An include inside a condition counts, too. Returns how many there are. */
int ct_embedded_needed(const char *source, const char *names[CT_EMBEDDED_MAX],
                       const char *texts[CT_EMBEDDED_MAX]);

#endif

/**
 * `cutlet-bench width`: copies by accesses of 1 to 32 bytes, over arrays of many sizes.
 */
#ifndef CUTLET_TOOLS_BENCH_WIDTH_RUN_H
#define CUTLET_TOOLS_BENCH_WIDTH_RUN_H

#include <stdio.h>

#include "../harness/device.h"
#include "../harness/harness.h"
#include <cutlet/device/elementwise/elementwise_args.h>
#include "vector.h"

enum {
    WIDTH_SIZES = 48,
    WIDTH_KINDS = 6,              /* widths that there are */
    WIDTH_LINES = WIDTH_KINDS + 1 /* and the driver's copy */
};

/** How a thread goes about a copy: it moves 16 bytes; one vector; or it strides through the array,
 *  one access at a time. */
enum { WIDTH_MANY, WIDTH_ONE_EACH, WIDTH_IN_LOOP };

/** Who compared a copy. */
enum { WIDTH_BY_NOBODY, WIDTH_BY_HOST, WIDTH_BY_DEVICE };

/** One width and one size: times on a GPU, counts on the CPU grid. */
typedef struct width_point {
    bench_result is;
    int32_t checked_by; /* WIDTH_BY_... */
} width_point;

typedef struct width_line {
    int32_t width; /* bytes of an access; 0: the driver's copy */
    width_point at[WIDTH_SIZES];
} width_line;

/** The widest access' time at its smallest size times this is the end of the first region. */
#define WIDTH_LATENCY_FACTOR 1.5

/** Which sizes, in their order, belong to which region: first the latency of a launch decides, then
 * the cache holds both arrays, then memory decides. */
typedef struct width_regions {
    int32_t latency, cache, memory; /* sizes in each */
    int32_t widest;                 /* the line that tells; -1: none does */
} width_regions;

typedef struct width_report {
    bench_about is;
    int32_t form, sizes, lines;
    int64_t size[WIDTH_SIZES];     /* bytes of one array, ascending */
    int32_t launches[WIDTH_SIZES]; /* back to back in one run */
    width_line line[WIDTH_LINES];  /* ascending widths; last the driver's, on a GPU */
} width_report;

/** What is asked for. */
typedef struct width_wish {
    int64_t from, to;
    int32_t widths[WIDTH_KINDS], count;
    int32_t runs, form;
} width_wish;

/** Sets sizes and lines as wished: from, and doubled up to `to`. The rest stays as it is. */
void width_start(width_report *r, const width_wish *wish);

/** The launch of one copy. Both addresses are multiples of 32. */
bench_launch width_make_launch(int32_t form, int32_t width, const void *src, void *dst,
                               int64_t bytes, int32_t processors);

/** The name of a form, NULL after the last; how its threads go about a copy, in words. */
const char *width_form_name(int32_t form);
const char *width_form_words(int32_t form);

/** Bytes read and written in a second, by 10^9; 0 where nothing was timed. */
double width_rate(const width_report *r, const width_line *line, int32_t size);

/** `16 bytes`, or `memcpy`. */
void width_name(char text[32], const width_line *line);

width_regions width_find_regions(const width_report *r);

enum { WIDTH_LATENCY, WIDTH_CACHE, WIDTH_MEMORY, WIDTH_REGIONS };

/** The region of a size, WIDTH_LATENCY or another; and its name. */
int width_region_of(const width_regions *regions, int32_t size);
const char *width_region_name(int region);

/** How the regions are found, in a sentence. */
void width_region_rule(const width_report *r, const width_regions *regions, char *text,
                       size_t bytes);

/** Measures on a GPU, or where that is NULL counts on the CPU grid. 0; 1 when a copy was wrong,
 *  after a line on stderr; or -1 and one line, and of the sizes those are left that were measured
 *  until then. */
int width_measure(width_report *r, ct_cuda *gpu, char error[CT_MESSAGE_BYTES]);

/** The table for a terminal. */
void width_print(const width_report *r, FILE *stream);

/** The same as tab-separated values, on stdout. */
void width_tsv(const width_report *r);

#endif

/**
 * The parts of `cutlet compare`: its matrix, its results, and how they are shown.
 */
#ifndef CUTLET_TOOLS_COMPARE_COMPARE_H
#define CUTLET_TOOLS_COMPARE_COMPARE_H

#include <stdio.h>

#include "compare/on_gpu.h"
#include <cutlet/host/compare.h>
#include <cutlet/host/npy.h>
#include <cutlet/host/traffic.h>

/** The matrix that is copied, in either order. An element whose size is not a power of two is
 * moved as
 *  several units, side by side along the contiguous mode. */
typedef struct ct_compare_input {
    ct_npy array;     /* of rank 2, as it was read or made */
    const char *path; /* where it came from; NULL: made */
    int64_t rows, cols;
    int32_t unit_bytes; /* what the kernels call an element */
    int32_t units;      /* of one element */
    void *other;   /* the same in the order that is not the array's; NULL before it is asked for */
    void *made[2]; /* of a matrix that is made: its first lines, column-major and row-major */
    int64_t made_lines[2];
} ct_compare_input;

/** Reads a matrix. 0, or -1 and one line in error. */
int ct_compare_input_read(ct_compare_input *s, const char *path, char error[CT_MESSAGE_BYTES]);

/** Makes one of random bits, the same each time. `type` is a name (half, float32, int8, ...) or a
 *  code of NumPy (f2, u4, V16). */
int ct_compare_input_make(ct_compare_input *s, int64_t rows, int64_t cols, const char *type,
                          char error[CT_MESSAGE_BYTES]);

/** The matrix in an order, as the kernels take it, without its data. */
void ct_compare_input_shape(const ct_compare_input *s, int row_major, ct_matrix *matrix);

/** The same with data: all of a file; of a matrix that is made, this many lines at least. 0, or -1 when memory runs out. */
int ct_compare_input_matrix(ct_compare_input *s, int row_major, int64_t lines, ct_matrix *matrix);

void ct_compare_input_free(ct_compare_input *s);

/** Random bits, the same each time, 256-byte aligned; from malloc, or NULL. */
void *ct_random_bits(int64_t bytes);

/** `compare --copy`: thread and value layouts of one's own on a matrix of one's own. */
typedef struct ct_own_copies {
    const char **text; /* THR x VAL */
    int count;
    const char *src, *dst, *shared, *type; /* NULL: not given */
    int64_t tile_m, tile_n;                /* 0: not given */
    int json, no_gpu;
} ct_own_copies;

/** What one of them costs. */
typedef struct ct_own_result {
    const char *text;
    ct_layout thr, val;
    int32_t threads;
    int32_t load_bits, store_bits; /* of an access to global memory */
    ct_traffic load, put, get, store;
    int64_t sectors, lines, instructions, wavefronts, conflicts;
    ct_compare_result first;        /* for the sentence about its first load */
    double seconds;                 /* on a GPU; 0: none */
    char untimed[CT_MESSAGE_BYTES]; /* why not, or empty */
} ct_own_result;

/** What is shown. */
typedef struct ct_own_ranking {
    const ct_own_copies *asked;
    ct_own_result *of; /* the best first */
    int count, elem_bits;
    int wrong;        /* copies that did something else on a GPU */
    const char *type; /* its name */
    char packed[64];  /* that of elements of 4 and 6 bits */
    ct_layout src;
    ct_tensor shared;
    int64_t tile_m, tile_n, elements;
    int64_t least; /* sectors */
    char device[128], no_gpu[CT_MESSAGE_BYTES];
} ct_own_ranking;

/** Counts, times where there is a GPU, prints. Returns an exit status. */
int ct_compare_own(const ct_own_copies *asked);

/** Words broken into lines of 100 columns, each indented. */
void ct_print_wrapped(FILE *stream, const char *text, int indent);

/** The table of what was counted, or all as JSON; the latter -1 when memory runs out. */
void ct_own_print(const ct_own_ranking *k, FILE *stream);
int ct_own_json(const ct_own_ranking *k, FILE *stream);

/** Prints what the GPU took for a copy as soon as it is known, or why no time is there. */
void ct_own_print_time(const ct_own_ranking *k, const ct_own_result *r, FILE *stream);

/** What was measured on a GPU. */
typedef struct ct_gpu_part {
    char reason[CT_MESSAGE_BYTES]; /* why no GPU was used, or no longer; or empty */
    ct_cuda_device device;
    int64_t mib;         /* of random bits that were copied; 0: the input was */
    ct_gpu_copy *copies; /* one for each result; NULL: nothing was measured */
} ct_gpu_part;

/** What is shown: results in their order, the row-major ones first. */
typedef struct ct_ranking {
    const ct_compare_input *input;
    ct_compare_result *results;
    int count;
    ct_gpu_part gpu;
    const char *pictures; /* the folder of the pictures, or NULL */
} ct_ranking;

/** The results of one order: *first and how many. */
int ct_ranking_part(const ct_ranking *c, int row_major, int *first);

/**
 * Runs the results' copies on the first GPU, in tiles as the options have them: over the input, or
 * over lines as long as its own that fill `mib` MiB where that is more. Complains of wrong ones.
 * Returns an exit status; where no GPU can be used, all is well and c->gpu.reason says why.
 */
int ct_ranking_measure(ct_ranking *c, int64_t mib, const ct_compare_options *o);

/** What the GPU made of a result; NULL where nothing was measured. */
const ct_gpu_copy *ct_ranking_gpu(const ct_ranking *c, const ct_compare_result *r);

/** Bytes read and written in a second, by 10^9; and that rate over the rate of the driver's copy. */
double ct_gpu_copy_rate(const ct_gpu_copy *copy);
double ct_gpu_copy_of_memcpy(const ct_gpu_copy *copy);

/** How the GPU's figures came about, in words; empty without figures. */
void ct_ranking_gpu_words(const ct_ranking *c, char *text, size_t size);

/** How the copies were verified, in words. */
void ct_ranking_verified(const ct_ranking *c, char *text, size_t size);

/** The tiles in words. */
void ct_ranking_tiles(const ct_ranking *c, char *text, size_t size);

/** How an access is made, as `cp.async 16`. */
void ct_ranking_access(const ct_compare_result *r, char *text, size_t size);

/** Sectors over the fewest that the matrix could be read and written with. */
double ct_ranking_excess(const ct_ranking *c, const ct_compare_result *r);

/** The matrix in words. */
void ct_ranking_input(const ct_ranking *c, char *text, size_t size);

/** The table for a terminal. */
void ct_ranking_print(const ct_ranking *c, FILE *stream);

/** The same as JSON. 0, or -1 when memory runs out. */
int ct_ranking_json(const ct_ranking *c, FILE *stream);

/** A folder of pictures, written to a temporary folder and renamed when complete. */
typedef struct ct_picture_folder {
    char *folder; /* its final name */
    char *stage;  /* the temporary folder */
} ct_picture_folder;

/** Begins a folder. 0, or -1 and one line in error. */
int ct_picture_folder_open(ct_picture_folder *g, const char *folder, char error[CT_MESSAGE_BYTES]);

/** Draws all results and an index, and shows the folder. 0; or -1, one line in error, and no
 * file. */
int ct_picture_folder_fill(ct_picture_folder *g, const ct_ranking *c, char error[CT_MESSAGE_BYTES]);

/** Drops what was not shown. */
void ct_picture_folder_close(ct_picture_folder *g);

/** The file name of the picture of a result. */
void ct_picture_folder_name(const ct_compare_result *r, char *text, size_t size);

/** The file name of the picture of its worst bank conflict, where it has one. */
void ct_picture_folder_banks(const ct_compare_result *r, char *text, size_t size);

/** Writes the page that shows table and pictures. 0, or -1 with errno. */
int ct_ranking_html(const ct_ranking *c, const char *path);

#endif

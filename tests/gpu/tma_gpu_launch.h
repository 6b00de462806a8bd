/* One launch of a kernel on the CPU grid and on the GPU, on the same bytes, and the comparison of
 * all that lies in dst afterwards. */
#ifndef CUTLET_TESTS_TMA_GPU_LAUNCH_H
#define CUTLET_TESTS_TMA_GPU_LAUNCH_H

#include "tma_gpu.h"

enum { ARGS_TMA, ARGS_COPY, ARGS_PIPELINE };

/** A launch. Addresses in it count from the beginning of src and dst. */
typedef struct gpu_launch {
    const ct_grid_kernel *kernel;
    int blocks, blocks_y, threads, dynamic_bytes; /* blocks_y 0 counts as 1 */
    int which_args;
    tma_args args;       /* bytes 0 counts as n */
    ct_layout matrix;    /* of both sides of a pipeline, of 2-byte elements */
    int shift;           /* of their addresses */
    ct_tma_desc desc[2]; /* of src and dst */
    int has_desc[2];
    int elem;                   /* how differences are printed */
    int is_image;               /* dst becomes a tile's image in shared memory */
    const unsigned char *image; /* what dst has to be where the grid cannot say, ROOM bytes */
    const unsigned char *known; /* 1 for the bytes of dst that count; NULL for all */
} gpu_launch;

/* The argument for memory at these addresses. Maps are those of the grid, or of the driver. */
static inline size_t make_args(const gpu_launch *s, unsigned char *src, unsigned char *dst,
                               int on_gpu, void *capacity, char *why)
{
    ct_tma_map map[2];
    memset(map, 0, sizeof map);
    for (int k = 0; k < 2; ++k) {
        if (!s->has_desc[k]) continue;
        ct_tma_desc d = s->desc[k];
        d.address += (uintptr_t)(k == 0 ? src : dst);
        if (on_gpu ? ct_cuda_tma_map(gpu, &d, &map[k]) : ct_grid_tma_map(&d, &map[k], why)) {
            if (on_gpu) give_up("%s", ct_cuda_error(gpu));
            return 0;
        }
    }
    if (s->which_args == ARGS_COPY) {
        ct_pipeline_args *const a = capacity;
        a->src = ct_make_global(src + s->shift, 16, s->matrix);
        a->dst = ct_make_global(dst + s->shift, 16, s->matrix);
        return sizeof *a;
    }
    if (s->which_args == ARGS_PIPELINE) {
        ct_pipeline_tma_args *const a = capacity;
        a->src = map[0];
        a->dst = map[1];
        a->out = ct_make_global(dst + s->shift, 16, s->matrix);
        return sizeof *a;
    }
    tma_args *const a = capacity;
    *a = s->args;
    a->src = src;
    a->dst = dst;
    a->src_map = map[0];
    a->dst_map = map[1];
    if (a->bytes == 0) a->bytes = a->n;
    return sizeof *a;
}

/* On the grid, into grid_dst. 0, or -1 and why it cannot. */
static inline int run_on_grid(const gpu_launch *s, char *why)
{
    static _Alignas(64) unsigned char args[1024];
    const ct_grid_buffer buffers[] = {{"src", host_src, CAPACITY, 0, 0},
                                      {"dst", grid_dst, CAPACITY, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2, .no_records = 1};
    const ct_dim3 grid = {(uint32_t)s->blocks, s->blocks_y ? (uint32_t)s->blocks_y : 1, 1};
    const ct_dim3 block = {(uint32_t)s->threads, 1, 1};
    ct_grid_report said;
    memcpy(grid_dst, before_dst, CAPACITY);
    const size_t bytes = make_args(s, host_src, grid_dst, 0, args, why);
    if (bytes == 0) return -1;
    const int status = ct_grid_launch(s->kernel, grid, block, (size_t)s->dynamic_bytes, args, bytes,
                                      &options, &said);
    snprintf(why, CT_MESSAGE_BYTES, "%.120s", said.message);
    ct_grid_report_free(&said);
    return status ? -1 : 0;
}

static inline void run_on_gpu(const gpu_launch *s)
{
    static _Alignas(64) unsigned char args[1024];
    const ct_dim3 grid = {(uint32_t)s->blocks, s->blocks_y ? (uint32_t)s->blocks_y : 1, 1};
    const ct_dim3 block = {(uint32_t)s->threads, 1, 1};
    expect(ct_cuda_upload(gpu, gpu_src_at, host_src, CAPACITY));
    expect(ct_cuda_upload(gpu, gpu_dst_at, before_dst, CAPACITY));
    const size_t bytes = make_args(s, gpu_src_at, gpu_dst_at, 1, args, NULL);
    expect(
        ct_cuda_launch(gpu, s->kernel->name, grid, block, (size_t)s->dynamic_bytes, args, bytes));
    if (ct_cuda_wait(gpu))
        give_up("%s; tile at (%d,%d,..)", ct_cuda_error(gpu), s->args.c[0], s->args.c[1]);
    expect(ct_cuda_download(gpu, gpu_dst, gpu_dst_at, CAPACITY));
}

/* An element in hexadecimal. */
static inline void put_elem(const unsigned char *at, int size)
{
    for (int i = size - 1; i >= 0; --i) fprintf(report, "%02x", at[i]);
}

/* Prints the first elements that differ, and gives up when there are any. */
static inline void compare(const gpu_launch *s, const unsigned char *right,
                           const unsigned char *known)
{
    const int size = s->elem ? ct_elem_bytes(s->elem) : 4;
    int shown = 0, count = 0, first = -1;
    for (int i = 0; i < CAPACITY; i += size) {
        int differs = 0;
        for (int k = 0; k < size; ++k) differs |= known[i + k] && gpu_dst[i + k] != right[i + k];
        if (differs && first < 0) first = i;
        count += differs;
    }
    if (count == 0) return;
    fprintf(report, "%d elements of %d bytes differ, the first at byte %d; tile at (%d,%d,..)\n",
            count, size, first, s->args.c[0], s->args.c[1]);
    for (int i = first; i < CAPACITY && shown < 48; i += size) {
        if (memcmp(gpu_dst + i, right + i, (size_t)size) == 0) continue;
        fprintf(report, "  byte %d: src ", i);
        put_elem(host_src + i, size);
        fputs(", dst before ", report);
        put_elem(before_dst + i, size);
        fputs(", GPU ", report);
        put_elem(gpu_dst + i, size);
        fputs(", should be ", report);
        put_elem(right + i, size);
        fputc('\n', report);
        ++shown;
    }
}

/* Where in src each 8 bytes of the image come from: row.byte of the rows of src's map, or -. */
static inline void print_image(const gpu_launch *s, const unsigned char *image, const char *whose)
{
    const int64_t pitch = s->desc[0].rank > 1 ? s->desc[0].stride[1] : 1024;
    fprintf(report, "image of %s, for each 8 bytes ROW.BYTE of src, rows of %lld bytes:\n", whose,
            (long long)pitch);
    for (int at = 0; at < s->args.n && at < 4096; at += 8) {
        if (at % 128 == 0) fprintf(report, "  %4d:", at);
        const unsigned char *const at_src = memmem(host_src, CAPACITY, image + at, 8);
        const long long from = at_src ? at_src - host_src : 0;
        if (at_src) fprintf(report, " %lld.%lld", from / (long long)pitch, from % (long long)pitch);
        else fputs(" -", report);
        if (at % 128 == 120) fputc('\n', report);
    }
    fputc('\n', report);
}

static inline int is_same(const unsigned char *a, const unsigned char *b,
                          const unsigned char *known)
{
    for (int i = 0; i < CAPACITY; ++i)
        if (known[i] && a[i] != b[i]) return 0;
    return 1;
}

/* Runs it on both, and gives up unless the results are the same. */
static inline void check_on_gpu(const gpu_launch *s)
{
    static unsigned char all[CAPACITY];
    char why[CT_MESSAGE_BYTES] = "";
    const int grid_knows = run_on_grid(s, why) == 0;
    const unsigned char *const right = grid_knows ? grid_dst : s->image;
    const unsigned char *const known = s->known ? s->known : all;
    memset(all, 1, sizeof all);
    if (!grid_knows && !undocumented) give_up("the grid: %s", why);
    if (grid_knows && s->image && !is_same(grid_dst, s->image, known))
        give_up("the grid does not what the descriptor says");
    run_on_gpu(s);
    if (!right) give_up("the grid cannot say: %s", why);
    if (is_same(gpu_dst, right, known)) return;
    compare(s, right, known);
    if (s->is_image) {
        print_image(s, gpu_dst, "the GPU");
        print_image(s, right, "what it should be");
    }
    give_up("differs");
}

/* Where a byte of a tile lies in shared memory: chunks of 16 bytes, of 32 or 64 for the atoms, change
 * places by the number of the 128-byte row; FLIP_8B exchanges the halves of each 16 bytes in every
 * other row. */
static inline int64_t shared_place(int swizzle, int64_t at)
{
    const int64_t row = at / 128;
    switch (swizzle) {
        case CT_TMA_SWIZZLE_32B: return at ^ row % 2 * 16;
        case CT_TMA_SWIZZLE_64B: return at ^ row % 4 * 16;
        case CT_TMA_SWIZZLE_128B: return at ^ row % 8 * 16;
        case CT_TMA_SWIZZLE_128B_ATOM_32B: return at ^ row % 4 * 32;
        case CT_TMA_SWIZZLE_128B_ATOM_32B_FLIP_8B: return at ^ row % 4 * 32 ^ row % 2 * 8;
        case CT_TMA_SWIZZLE_128B_ATOM_64B: return at ^ row % 2 * 64;
        default: return at;
    }
}

/* What a tile copy leaves in dst, element by element. Rows in shared memory are as far apart as the
 * span of the swizzle. */
static inline void describe(gpu_launch *s, const ct_tma_desc *d, int is_load)
{
    static unsigned char image[CAPACITY], known[CAPACITY];
    const int64_t bytes = d->stride[0], span = ct_tma_span(d->swizzle);
    const int64_t pitch = span && !d->interleave ? span : d->box[0] * bytes;
    const int64_t rows = ct_tma_bytes(d) / (d->box[0] * bytes);
    s->args.n = s->dynamic_bytes = (int32_t)(pitch * rows);
    memset(known, 1, CAPACITY);
    if (is_load) memset(known, 0, (size_t)s->args.n);
    memcpy(image, before_dst, CAPACITY);
    for (int64_t k = 0; k < rows * d->box[0]; ++k) {
        const int64_t at = shared_place(d->swizzle, k / d->box[0] * pitch + k % d->box[0] * bytes);
        int64_t from = 0, rest = k;
        int is_inside = 1;
        for (int i = 0; i < d->rank; ++i) {
            const int64_t x = s->args.c[i] + rest % ct_tma_tile(d, i) * d->step[i];
            rest /= ct_tma_tile(d, i);
            is_inside &= x >= 0 && x < d->extent[i];
            from += x * d->stride[i];
        }
        if (is_load) {
            memset(image + at, 0, (size_t)bytes);
            memset(known + at, 1, (size_t)bytes);
            if (is_inside) memcpy(image + at, host_src + from, (size_t)bytes);
        } else if (is_inside) {
            memcpy(image + from, host_src + at, (size_t)bytes);
        }
    }
    s->image = image;
    s->known = known;
}

#endif

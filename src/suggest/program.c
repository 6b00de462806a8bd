/* A candidate as a program: the kernel, and a host part that runs and verifies it. */
#include "code.h"

#include <inttypes.h>

enum { FREE_SHARED_BYTES = 48 * 1024, ON_GRID = 2 };

typedef struct program {
    ct_builder *out;
    const ct_suggest_query *q;
    const ct_suggestion *s;
    suggest_plain src, dst;
} program;

/* The CPU grid, which is slow, takes few tiles and what the edge cuts. */
static int64_t on_grid(int64_t extent, int64_t tile)
{
    return ct_min(extent, ON_GRID * tile + extent % tile);
}

static void put_head(const program *p, const char *about)
{
    ct_put(
        p->out,
        "/* %s.\n * Written by `cutlet suggest`. A GPU runs it where nvcc compiles it, the CPU "
        "grid where a C\n"
        " * compiler does:\n *\n"
        " *     nvcc -std=c++17 -arch=%s -o tile-gpu FILE.cu $(pkg-config --cflags cutlet)\n"
        " *     cc -std=gnu11 -O2 -x c FILE.cu -x none -o tile-grid $(pkg-config --cflags --libs "
        "cutlet)\n"
        " */\n",
        about, ct_suggest_rules(p->q)->arch);
}

static void put_extents(const program *p)
{
    const suggest_plain *const s = &p->src, *const d = &p->dst;
    ct_put(p->out,
           "\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n"
           "#if defined(__CUDACC__)\nenum { M = %" PRId64 ", N = %" PRId64 " };\n"
           "#else /* the grid is slow: a corner, edges as the whole has them */\n"
           "#include <cutlet/host/grid.h>\nenum { M = %" PRId64 ", N = %" PRId64 " };\n#endif\n"
           "enum { BYTES = %d, SHARED_BYTES = %" PRId64 " };\n\n",
           s->extent[0], s->extent[1], on_grid(s->extent[0], p->q->tile_m),
           on_grid(s->extent[1], p->q->tile_n), suggest_elem_bytes(p->q), p->s->cost.shared_bytes);
    ct_put(p->out,
           "/* Where (m,n) lies, in elements, and how many there are up to the last one. */\n"
           "static int64_t at_src(int64_t m, int64_t n) { return m * %" PRId64 " + n * %" PRId64
           "; }\n"
           "static int64_t at_dst(int64_t m, int64_t n) { return m * %" PRId64 " + n * %" PRId64
           "; }\n"
           "#define SRC_BYTES ((size_t)(at_src(M - 1, N - 1) + 1) * BYTES)\n"
           "#define DST_BYTES ((size_t)(at_dst(M - 1, N - 1) + 1) * BYTES)\n\n",
           s->stride[0], s->stride[1], d->stride[0], d->stride[1]);
}

static void put_arguments(const program *p)
{
    const suggest_plain *const s = &p->src, *const d = &p->dst;
    const int bits = p->q->elem_bits;
    ct_put(p->out,
           "static copy_tile_args make_args(const void *src, void *dst)\n{\n"
           "    copy_tile_args args = CT_ZERO;\n"
           "    args.src = ct_make_global(src, %d, ct_layout2(M, N, %" PRId64 ", %" PRId64 "));\n"
           "    args.dst = ct_make_global(dst, %d, ct_layout2(M, N, %" PRId64 ", %" PRId64 "));\n"
           "    return args;\n}\n\n",
           bits, s->stride[0], s->stride[1], bits, d->stride[0], d->stride[1]);
}

static void put_check(const program *p)
{
    ct_put_text(
        p->out,
        "static void fill(unsigned char *src)\n{\n"
        "    for (size_t i = 0; i < SRC_BYTES; ++i) {\n"
        "        const uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;\n"
        "        src[i] = (unsigned char)((x ^ x >> 29) * 0xbf58476d1ce4e5b9u >> 56);\n"
        "    }\n}\n\n"
        "static int check(const unsigned char *src, const unsigned char *dst)\n{\n"
        "    for (int m = 0; m < M; ++m)\n"
        "        for (int n = 0; n < N; ++n)\n"
        "            if (memcmp(dst + at_dst(m, n) * BYTES, src + at_src(m, n) * BYTES, BYTES) != "
        "0)\n"
        "                return printf(\"wrong at (%d,%d)\\n\", m, n), 1;\n"
        "    return printf(\"%d x %d elements of %d bytes: each is right\\n\", M, N, BYTES), 0;\n"
        "}\n\n");
}

/* The grid of blocks, as the arguments of a dim3. */
static void put_blocks(const program *p)
{
    const int64_t m = p->q->tile_m, n = p->q->tile_n;
    if (ct_suggest_along_m(&p->src))
        ct_put(p->out, "(M + %d) / %d, (N + %d) / %d", (int)m - 1, (int)m, (int)n - 1, (int)n);
    else ct_put(p->out, "(N + %d) / %d, (M + %d) / %d", (int)n - 1, (int)n, (int)m - 1, (int)m);
}

static void put_gpu(const program *p)
{
    ct_put_text(p->out,
                "#if defined(__CUDACC__)\n\nint main(void)\n{\n"
                "    unsigned char *const src = (unsigned char *)malloc(SRC_BYTES);\n"
                "    unsigned char *const dst = (unsigned char *)malloc(DST_BYTES);\n"
                "    unsigned char *on_gpu_src = NULL, *on_gpu_dst = NULL;\n"
                "    if (!src || !dst) return fprintf(stderr, \"no memory\\n\"), 2;\n"
                "    fill(src);\n"
                "    cudaError_t e = cudaMalloc(&on_gpu_src, SRC_BYTES);\n"
                "    if (!e) e = cudaMalloc(&on_gpu_dst, DST_BYTES);\n"
                "    if (!e) e = cudaMemcpy(on_gpu_src, src, SRC_BYTES, cudaMemcpyHostToDevice);\n"
                "    if (!e) e = cudaMemset(on_gpu_dst, 0xa5, DST_BYTES);\n");
    if (p->s->cost.shared_bytes > FREE_SHARED_BYTES)
        ct_put_text(p->out, "    if (!e) e = cudaFuncSetAttribute(copy_tile, "
                            "cudaFuncAttributeMaxDynamicSharedMemorySize, "
                            "SHARED_BYTES);\n");
    ct_put_text(p->out, "    const copy_tile_args args = make_args(on_gpu_src, on_gpu_dst);\n"
                        "    if (!e) copy_tile<<<dim3(");
    put_blocks(p);
    ct_put(p->out,
           "), %d, SHARED_BYTES>>>(args);\n"
           "    if (!e) e = cudaGetLastError();\n"
           "    if (!e) e = cudaMemcpy(dst, on_gpu_dst, DST_BYTES, cudaMemcpyDeviceToHost);\n"
           "    if (e) return fprintf(stderr, \"CUDA: %%s\\n\", cudaGetErrorString(e)), 2;\n"
           "    return check(src, dst);\n}\n\n",
           p->q->threads);
}

static void put_grid(const program *p)
{
    ct_put_text(
        p->out,
        "#else\n\nint main(void)\n{\n"
        "    unsigned char *const src = aligned_alloc(256, (SRC_BYTES + 255) / 256 * 256);\n"
        "    unsigned char *const dst = aligned_alloc(256, (DST_BYTES + 255) / 256 * 256);\n"
        "    if (!src || !dst) return fprintf(stderr, \"no memory\\n\"), 2;\n"
        "    fill(src);\n"
        "    memset(dst, 0xa5, DST_BYTES);\n"
        "    const copy_tile_args args = make_args(src, dst);\n"
        "    const ct_grid_buffer buffers[] = {{\"src\", src, SRC_BYTES, 0, 0}, {\"dst\", dst, "
        "DST_BYTES, 1, 0}};\n"
        "    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};\n"
        "    const ct_dim3 grid = {");
    put_blocks(p);
    ct_put(p->out,
           ", 1}, block = {%d, 1, 1};\n"
           "    ct_grid_report report = {0};\n"
           "    const int bad = ct_grid_launch(&copy_tile, grid, block, SHARED_BYTES, "
           "&args, sizeof args, &options,\n"
           "                                   &report);\n"
           "    if (bad) fprintf(stderr, \"%%s\\n\", report.message);\n"
           "    ct_grid_report_free(&report);\n"
           "    return bad ? 2 : check(src, dst);\n}\n\n#endif\n",
           p->q->threads);
}

/* Unsupported by the host part: a layout that begins after its element 0, extents past an int. */
static ct_status check_side(const suggest_plain *side, const char *name,
                            char message[CT_MESSAGE_BYTES])
{
    for (int k = 0; k < 2; ++k) {
        if (side->stride[k] < 0)
            return ct_refuse(message, CT_E_ARGUMENT,
                             "mode %d of %s has the stride %" PRId64 "; a program takes "
                             "none below 0",
                             k, name, side->stride[k]);
        if (side->extent[k] > INT32_MAX)
            return ct_refuse(message, CT_E_ARGUMENT,
                             "mode %d of %s has %" PRId64 " elements; a program takes "
                             "%d at most",
                             k, name, side->extent[k], INT32_MAX);
    }
    return 0;
}

int ct_suggest_program(char *buf, size_t size, const ct_suggest_query *query,
                       const ct_suggestion *s, const char *about, char message[CT_MESSAGE_BYTES])
{
    ct_builder out = ct_builder_fixed(buf, size);
    program p = {.out = &out, .q = query, .s = s};
    if (ct_suggest_plain_of(&p.src, query->src, "the source", message)) return -1;
    p.dst = ct_suggest_back_of(&p.src);
    if ((query->has_dst && ct_suggest_plain_of(&p.dst, query->dst, "the destination", message)) ||
        check_side(&p.src, "the source", message) || check_side(&p.dst, "the destination", message))
        return -1;
    put_head(&p, about);
    if (ct_suggest_put_kernel(&out, query, s, SUGGEST_PROGRAM, message)) return -1;
    put_extents(&p);
    put_arguments(&p);
    put_check(&p);
    put_gpu(&p);
    put_grid(&p);
    return ct_builder_end(&out);
}

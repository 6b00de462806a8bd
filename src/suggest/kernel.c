/* A candidate as C: its pieces, and the kernel that copies a tile by them. */
#include "code.h"

#include <inttypes.h>

enum { NONE = -1 };

/* What is written, worked out before. */
typedef struct code {
    ct_builder *out;
    const ct_suggest_query *q;
    const ct_suggestion *s;
    suggest_plain src, dst;
    suggest_read read;
    int use;
} code;

ct_status ct_suggest_plain_of(suggest_plain *plain, ct_layout whole, const char *name,
                              char message[CT_MESSAGE_BYTES])
{
    for (int k = 0; k < 2; ++k) {
        const ct_layout mode = ct_coalesce(ct_mode(whole, k));
        char text[CT_TEXT_BYTES];
        if (mode.profile.leaves > 1) {
            ct_format_layout(text, sizeof text, mode);
            return ct_refuse(message, CT_E_ARGUMENT,
                             "mode %d of %s is %.80s; a kernel takes one stride a mode", k, name,
                             text);
        }
        plain->extent[k] = ct_size(mode);
        plain->stride[k] = mode.stride[0];
    }
    return 0;
}

int ct_suggest_along_m(const suggest_plain *src)
{
    return ct_abs(src->stride[0]) < ct_abs(src->stride[1]);
}

suggest_plain ct_suggest_back_of(const suggest_plain *src)
{
    suggest_plain back = *src;
    const int slow = ct_suggest_along_m(src);
    const int64_t low = ct_abs(src->stride[!slow]), high = ct_abs(src->stride[slow]);
    const int separate = low > 0 || src->extent[!slow] == 1;
    if (separate && (high >= low * src->extent[!slow] || src->extent[slow] == 1)) return back;
    back.stride[0] = 1;
    back.stride[1] = src->extent[0];
    return back;
}

/* ---- what is known of either side ------------------------------------------------------------ */

static int64_t elements(const code *c, const ct_suggest_copy *copy)
{
    return copy->bits / c->q->elem_bits;
}

/* The axis of an access's elements. For single elements it is the contiguous axis, if any, as in
 * ct_make_global. */
static int axis_of(const code *c, const ct_suggest_copy *copy, const suggest_plain *side)
{
    int axis = NONE;
    if (elements(c, copy) > 1) return copy->val.shape[1] > 1 && copy->val.stride[1] == 1;
    for (int k = 0; k < 2; ++k)
        if (side->stride[k] == 1 && (axis < 0 || side->extent[k] > 1)) axis = k;
    return axis;
}

/* Elements of a store to shared memory: those of an access, or more if a thread's are contiguous in
 * an unswizzled layout. The estimate takes them to be merged (merged_stores.c). */
static int64_t merged(const code *c)
{
    const ct_suggest_copy *const in = &c->s->in;
    const ct_layout shared = c->s->shared.layout;
    const int64_t own = elements(c, in);
    const int along = shared.stride[1] == 1 && shared.shape[1] > 1;
    const int64_t pitch = shared.stride[!along], extent = in->val.shape[along];
    if (ct_atom_is_async(in->kind) || c->s->shared.swizzle.bits > 0) return own;
    if (own > 1 && axis_of(c, in, &c->src) != along) return own;
    int64_t run = own;
    while (2 * run * suggest_elem_bytes(c->q) <= SUGGEST_ACCESS_BYTES && extent % (2 * run) == 0 &&
           pitch % (2 * run) == 0)
        run *= 2;
    return run;
}

/* ---- the pieces ------------------------------------------------------------------------------ */

static void put_layout(ct_builder *out, ct_layout L)
{
    ct_put_text(out, "ct_read(\"");
    ct_put_layout(out, L);
    ct_put_text(out, "\")");
}

static void put_tile(const code *c)
{
    ct_put(c->out, "ct_tuple2(%" PRId64 ", %" PRId64 ")", c->q->tile_m, c->q->tile_n);
}

static void put_atom(const code *c, const ct_suggest_copy *copy, int64_t store)
{
    const int bits = c->q->elem_bits;
    if (store != elements(c, copy)) ct_put(c->out, "ct_copy_atom_auto(%d)", bits);
    else if (copy->kind == CT_ATOM_UNIVERSAL)
        ct_put(c->out, "ct_copy_atom_universal(%d, %d)", copy->bits, bits);
    else
        ct_put(c->out, "ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_%s, %d, %d)",
               copy->kind == CT_ATOM_CP_ASYNC_CG ? "CG" : "CA", copy->bits, bits);
}

static void put_copy(const code *c, const char *name, const char *about,
                     const ct_suggest_copy *copy, int64_t store)
{
    ct_builder *const out = c->out;
    ct_put(out,
           "/* %s: (m,n) -> thread, (m,n) -> value. */\nCT_FN ct_tiled_copy %s(void)\n{\n"
           "    return ct_make_tiled_copy(",
           about, name);
    put_atom(c, copy, store);
    ct_put_text(out, ",\n                              ");
    put_layout(out, copy->thr);
    ct_put_text(out, ", ");
    put_layout(out, copy->val);
    ct_put_text(out, ");\n}\n\n");
}

static void put_shared(const code *c)
{
    const ct_swizzle w = c->s->shared.swizzle;
    ct_put(c->out,
           "/* (m,n) of the tile -> element of shared memory; %" PRId64 " bytes. */\n"
           "CT_FN ct_tensor tile_shared(void)\n{\n"
           "    return ct_make_swizzled(",
           c->s->cost.shared_bytes);
    if (w.bits > 0) ct_put(c->out, "ct_make_swizzle(%d, %d, %d), 0, ", w.bits, w.base, w.shift);
    else ct_put_text(c->out, "ct_swizzle_none(), 0, ");
    put_layout(c->out, c->s->shared.layout);
    ct_put_text(c->out, ");\n}\n\n");
}

static void put_read(const code *c)
{
    const suggest_read *const r = &c->read;
    ct_put(c->out, "/* What is read of it: (thread, value) -> index in the tile; %d accesses of%s",
           r->steps, r->matrices ? " ldmatrix" : "");
    if (!r->matrices) ct_put(c->out, " %d bits", c->s->read_bits);
    ct_put(c->out,
           "\n * by each of %d threads. */\nCT_FN ct_tiled_copy tile_read(ct_copy_atom atom)\n"
           "{\n    return ct_make_tiled_copy_tv(atom, ",
           r->threads);
    put_layout(c->out, r->tv);
    ct_put_text(c->out, ",\n                                 ");
    put_tile(c);
    ct_put_text(c->out, ");\n}\n\n");
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* The larger of a capacity and the need of a copy of this number of elements per access. */
static void need(const code *c, int64_t threads, int64_t width, int64_t *accesses, int64_t *values)
{
    const int64_t own = suggest_size(c->q) / threads;
    *values = ct_max(*values, own);
    *accesses = ct_max(*accesses, own / width);
}

static void put_includes(const code *c)
{
    int64_t accesses = 0, values = 0;
    need(c, c->q->threads, elements(c, &c->s->in), &accesses, &values);
    if (c->q->has_dst) need(c, c->q->threads, elements(c, &c->s->out), &accesses, &values);
    else
        need(c, c->read.threads, c->use == SUGGEST_PROGRAM ? 1 : c->s->read_bits / c->q->elem_bits,
             &accesses, &values);
    if (accesses > CT_ACCESSES)
        ct_put(c->out, "#define CT_ACCESSES %" PRId64 " /* of a thread */\n", accesses);
    if (values > CT_VALUES) ct_put(c->out, "#define CT_VALUES %" PRId64 "\n", values);
    ct_put_text(c->out, "#include <cutlet/device/copy/copy.h>\n"
                        "#include <cutlet/device/kernel/static.h>\n");
    if (c->use == SUGGEST_MEASURED && !c->q->has_dst)
        ct_put_text(c->out, "#include <cutlet/device/arch/warp.h>\n");
    ct_put_text(c->out, "#include <cutlet/algebra/read.h>\n\n");
}

static void put_global(const code *c, const ct_suggest_copy *copy, const suggest_plain *side,
                       int64_t store)
{
    const int axis = axis_of(c, copy, side);
    if (store == elements(c, copy)) ct_put(c->out, "ct_in_global(%d)", axis);
    else ct_put(c->out, "ct_with_most(ct_in_global(%d), %d)", axis, (int)elements(c, copy));
}

static void put_in(const code *c, int64_t store)
{
    ct_put_text(c->out,
                "    CT_STATIC(ct_partition, in,\n              ct_make_partition(tile_in(), ");
    put_tile(c);
    ct_put_text(c->out, ",\n                                ");
    put_global(c, &c->s->in, &c->src, store);
    if (store == elements(c, &c->s->in)) ct_put_text(c->out, ", ct_in_shared(tile_shared())));\n");
    else
        ct_put(c->out,
               ",\n                                "
               "ct_with_most(ct_in_shared(tile_shared()), %d)));\n",
               (int)store);
}

static void put_out(const code *c)
{
    ct_put_text(c->out,
                "    CT_STATIC(ct_partition, out,\n              ct_make_partition(tile_out(), ");
    put_tile(c);
    ct_put_text(c->out, ",\n                                ct_in_shared(tile_shared()), ");
    put_global(c, &c->s->out, &c->dst, elements(c, &c->s->out));
    ct_put_text(c->out, "));\n");
}

static void put_read_partition(const code *c)
{
    const suggest_read *const r = &c->read;
    const int bits = c->q->elem_bits;
    ct_put_text(c->out,
                "    CT_STATIC(ct_partition, read,\n              ct_make_partition(tile_read(");
    if (r->matrices)
        ct_put(c->out, "ct_copy_atom_matrix(CT_ATOM_LDMATRIX%s, %d, %d)",
               c->q->read == CT_READ_LDMATRIX_TRANS ? "_TRANS" : "", r->matrices, bits);
    else ct_put(c->out, "ct_copy_atom_universal(%d, %d)", c->s->read_bits, bits);
    ct_put_text(c->out, "), ");
    put_tile(c);
    ct_put_text(c->out, ",\n                                "
                        "ct_in_shared(tile_shared()), ct_in_registers()));\n");
    if (c->use != SUGGEST_PROGRAM) return;
    ct_put(c->out,
           "    CT_STATIC(ct_partition, back,\n              ct_make_partition("
           "tile_read(ct_copy_atom_auto(%d)), ",
           bits);
    put_tile(c);
    ct_put(c->out,
           ",\n                                "
           "ct_in_registers(), ct_in_global(%d)));\n",
           axis_of(c, &(ct_suggest_copy){.bits = bits}, &c->dst));
}

/* What is done with the words that were read. */
static void put_use(const code *c)
{
    const suggest_read *const r = &c->read;
    if (c->use == SUGGEST_PROGRAM) {
        ct_put(c->out,
               "%s    /* here the kernel works on what it read; this one gives it back */\n"
               "    %sct_copy(&back, ct_view_registers(words), "
               "ct_view_tile(&args.dst, &back, x));\n%s",
               r->threads < c->q->threads ? "    " : "", r->threads < c->q->threads ? "    " : "",
               r->threads < c->q->threads ? "    }\n" : "");
        return;
    }
    ct_put(c->out,
           "    CT_UNROLL for (int i = 0; i < %d; ++i) sum = sum * 31 + words[i];\n%s"
           "    sum *= 2 * threadIdx.x + 1;\n"
           "    CT_UNROLL for (int i = 16; i > 0; i /= 2) "
           "sum ^= __shfl_xor_sync(0xffffffffu, sum, i);\n"
           "    if (threadIdx.x %% 32 == 0)\n"
           "        ct_store_element(&args.dst, ct_index4(threadIdx.x / 32, blockIdx.x, "
           "blockIdx.y, blockIdx.z), &sum, 32);\n",
           r->words, r->threads < c->q->threads ? "    }\n" : "");
}

static void put_reading(const code *c)
{
    const suggest_read *const r = &c->read;
    const char *const indent = r->threads < c->q->threads ? "    " : "";
    if (c->use == SUGGEST_MEASURED) ct_put_text(c->out, "    uint32_t sum = 0;\n");
    if (indent[0]) ct_put(c->out, "    if (threadIdx.x < %d) {\n", r->threads);
    ct_put(c->out,
           "    %sCT_FRAGMENT(uint32_t, words, %d);\n"
           "    %sct_copy(&read, ct_view_shared(memory), ct_view_registers(words));\n",
           indent, r->words, indent);
    put_use(c);
}

static void put_body(const code *c)
{
    const int along_m =
        ct_suggest_along_m(&c->src); /* neighbouring blocks take neighbouring lines */
    ct_put(c->out,
           "    CT_SHARED_DYNAMIC(unsigned char, memory);\n"
           "    const ct_index x = ct_index%s;\n"
           "    ct_copy(&in, ct_view_tile(&args.src, &in, x), ct_view_shared(memory));\n",
           c->use == SUGGEST_PROGRAM
               ? along_m ? "2(blockIdx.x, blockIdx.y)" : "2(blockIdx.y, blockIdx.x)"
           : along_m ? "3(blockIdx.x, blockIdx.y, blockIdx.z)"
                     : "3(blockIdx.y, blockIdx.x, blockIdx.z)");
    if (ct_atom_is_async(c->s->in.kind)) ct_put_text(c->out, "    ct_cp_async_wait_all();\n");
    ct_put_text(c->out, "    __syncthreads();\n");
    if (c->q->has_dst)
        ct_put_text(c->out, "    ct_copy(&out, ct_view_shared(memory), "
                            "ct_view_tile(&args.dst, &out, x));\n");
    else put_reading(c);
}

static void put_all(const code *c)
{
    const int64_t store = merged(c);
    put_includes(c);
    put_copy(c, "tile_in", "Global to shared memory", &c->s->in, store);
    if (c->q->has_dst)
        put_copy(c, "tile_out", "Shared to global memory", &c->s->out, elements(c, &c->s->out));
    put_shared(c);
    if (!c->q->has_dst) put_read(c);
    ct_put(c->out,
           "typedef struct copy_tile_args {\n    ct_global src, dst;\n} copy_tile_args;\n\n"
           "CT_KERNEL_THREADS(copy_tile, %d, copy_tile_args, args)\n{\n",
           c->q->threads);
    put_in(c, store);
    if (c->q->has_dst) put_out(c);
    else put_read_partition(c);
    put_body(c);
    ct_put_text(c->out, "}\n");
}

/* Whether accesses of so many bits are those of the query. */
static ct_status check_bits(const ct_suggest_query *q, int32_t bits, char *message)
{
    if (bits >= q->elem_bits) return CT_OK;
    return ct_refuse(message, CT_E_ARGUMENT,
                     "a suggestion of another query: it moves %d bits at a time, and an element of "
                     "this one has %d",
                     bits, q->elem_bits);
}

ct_status ct_suggest_put_kernel(ct_builder *out, const ct_suggest_query *query,
                                const ct_suggestion *s, int use, char message[CT_MESSAGE_BYTES])
{
    code c = {.out = out, .q = query, .s = s, .use = use};
    ct_status bad = ct_suggest_plain_of(&c.src, query->src, "the source", message);
    if (!bad && !query->has_dst) bad = check_bits(query, s->read_bits, message);
    if (bad) return bad;
    c.dst = ct_suggest_back_of(&c.src);
    bad = query->has_dst ? ct_suggest_plain_of(&c.dst, query->dst, "the destination", message)
                         : ct_suggest_read_of(&c.read, query, s->read_bits, message);
    if (bad) return bad;
    for (int k = 0; k < 2; ++k)
        if (c.dst.extent[k] != c.src.extent[k])
            return ct_refuse(message, CT_E_ARGUMENT,
                             "mode %d of the source has %" PRId64 " elements, that "
                             "of the destination %" PRId64,
                             k, c.src.extent[k], c.dst.extent[k]);
    bad = check_bits(query, ct_min(s->in.bits, query->has_dst ? s->out.bits : s->in.bits), message);
    if (!bad) put_all(&c);
    return bad;
}

int ct_suggest_as_c(char *buf, size_t size, const ct_suggest_query *query, const ct_suggestion *s,
                    char message[CT_MESSAGE_BYTES])
{
    ct_builder out = ct_builder_fixed(buf, size);
    if (ct_suggest_put_kernel(&out, query, s, SUGGEST_PROGRAM, message)) return -1;
    return ct_builder_end(&out);
}

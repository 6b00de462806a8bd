/* The systems, and what is done with two of them; see convert.h. */
#include <string.h>

#include <cutlet/host/eval.h>
#include "exchange.h"
#include "text/cute.h"
#include "text/offsets.h"
#include "text/triton_text.h"

static const struct {
    const char *name, *what;
} systems[CT_SYSTEM_COUNT] = {
    [CT_SYSTEM_CUTLET] = {"cutlet", "the notation of cutlet: (4,8):(8,1)"},
    [CT_SYSTEM_CUTE] = {"cute", "CuTe C++: Layout<Shape<_4,_8>,Stride<_8,_1>>"},
    [CT_SYSTEM_CUTE_PRINT] = {"cute-print", "what CuTe C++ prints: (_4,_8):(_8,_1)"},
    [CT_SYSTEM_CUTE_DSL] = {"cute-dsl", "CuTe DSL: cute.make_layout((4, 8), stride=(8, 1))"},
    [CT_SYSTEM_CUTE_IR] = {"cute-ir", "CuTe IR: !cute.layout<\"(4,8):(8,1)\">"},
    [CT_SYSTEM_TRITON] = {"triton", "any encoding of Triton, or layout of Gluon (to read)"},
    [CT_SYSTEM_TRITON_BLOCKED] = {"triton-blocked", "#ttg.blocked<{..}>"},
    [CT_SYSTEM_TRITON_LINEAR] = {"triton-linear", "#ttg.linear<{..}>, #ttg.generic_linear<{..}>"},
    [CT_SYSTEM_TRITON_SWIZZLED] = {"triton-swizzled_shared", "#ttg.swizzled_shared<{..}>"},
    [CT_SYSTEM_TRITON_NVMMA] = {"triton-nvmma_shared", "#ttg.nvmma_shared<{..}>"},
    [CT_SYSTEM_TRITON_SHARED] = {"triton-shared_linear", "#ttg.shared_linear<{..}>"},
    [CT_SYSTEM_MDSPAN] = {"mdspan", "std::layout_right::mapping<..>, layout_left, layout_stride"},
    [CT_SYSTEM_MDSPAN_PADDED] = {"mdspan-padded", "std::layout_left_padded<..>::mapping<..>, "
                                                  "right"},
    [CT_SYSTEM_NUMPY] = {"numpy", "shape=(4, 8), strides=(16, 2), itemsize=2"},
};

const char *ct_system_name(int32_t system, const char **what)
{
    const int known = system > CT_SYSTEM_ANY && system < CT_SYSTEM_COUNT;
    if (what) *what = known ? systems[system].what : NULL;
    return known ? systems[system].name : NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int is_triton(int system)
{
    return system >= CT_SYSTEM_TRITON && system <= CT_SYSTEM_TRITON_SHARED;
}

static int is_cute(int system) { return system >= CT_SYSTEM_CUTE && system <= CT_SYSTEM_CUTE_IR; }

/* The system that a text looks like: each has words that no other has. */
static int guess(const char *text)
{
    while (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r') ++text;
    const ct_reader r = ct_reader_of(text, NULL);
    if (ct_begins_triton(&r)) return CT_SYSTEM_TRITON;
    if (strstr(text, "layout_left") || strstr(text, "layout_right") ||
        strstr(text, "layout_stride") || strstr(text, "::mapping"))
        return CT_SYSTEM_MDSPAN;
    if (ct_notation_of(text, strlen(text)) || strstr(text, "composition(") ||
        strstr(text, "make_layout(") || strstr(text, "_m") || (strstr(text, " o ") && *text == '('))
        return CT_SYSTEM_CUTE;
    if (strstr(text, "shape=") || strstr(text, "shape'") || strstr(text, "shape\"") ||
        strstr(text, "shape =") || strstr(text, "strides="))
        return CT_SYSTEM_NUMPY;
    return CT_SYSTEM_CUTLET;
}

static ct_status read_cutlet(const char *text, ct_exchange *out, ct_diag *diag)
{
    ct_value v;
    memset(out, 0, sizeof *out);
    ct_status bad = ct_parse_value(text, &v, diag);
    if (bad) return bad;
    if (v.kind == CT_KIND_TENSOR) {
        out->tensor = v.as.tensor;
    } else if (v.kind == CT_KIND_LAYOUT) {
        out->tensor = ct_make_tensor(v.as.layout);
    } else if (v.kind == CT_KIND_TUPLE) { /* a bare shape */
        ct_layout L;
        bad = ct_parse_layout(text, &L, diag);
        out->tensor = ct_make_tensor(L);
    } else {
        bad = ct_conversion_fail(diag, CT_E_TEXT, "a layout is expected, not %s", ct_kind_name(&v));
        if (diag) diag->length = strlen(text);
    }
    ct_value_free(&v);
    return bad;
}

/* Whether a text of Triton has the encoding that the options name. */
static int is_of_encoding(const char *text, int system)
{
    static const char *const names[CT_SYSTEM_COUNT] = {
        [CT_SYSTEM_TRITON_BLOCKED] = ".blocked<",
        [CT_SYSTEM_TRITON_SWIZZLED] = ".swizzled_shared<",
        [CT_SYSTEM_TRITON_NVMMA] = ".nvmma_shared<",
        [CT_SYSTEM_TRITON_SHARED] = ".shared_linear<"};
    if (system == CT_SYSTEM_TRITON_LINEAR)
        return strstr(text, ".linear<") || strstr(text, ".generic_linear<");
    return !names[system] || strstr(text, names[system]);
}

static ct_status read_text(const char *text, const ct_convert_options *o, ct_exchange *out,
                           ct_diag *diag)
{
    const int from = o->from == CT_SYSTEM_ANY ? guess(text) : o->from;
    if (is_triton(from)) {
        if (is_of_encoding(text, from)) return ct_read_triton(text, o, out, diag);
        ct_conversion_fail(diag, CT_E_TEXT, "the text is no %s", systems[from].name);
        if (diag) diag->length = strlen(text);
        return CT_E_TEXT;
    }
    if (is_cute(from)) return ct_read_cute(text, out, diag);
    if (from == CT_SYSTEM_MDSPAN || from == CT_SYSTEM_MDSPAN_PADDED)
        return ct_read_mdspan(text, out, diag);
    if (from == CT_SYSTEM_NUMPY) return ct_read_numpy(text, o, out, diag);
    return read_cutlet(text, out, diag);
}

/* ---- converting ------------------------------------------------------------------------------ */

static ct_status check_options(const ct_convert_options *o, ct_diag *diag)
{
    int bits = 0;
    for (int d = 0; d < o->rank && d < CT_CONVERT_RANK; ++d) {
        const int log = ct_log2(o->shape[d]);
        if (log < 0)
            return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                      "dimension %d of the shape is %lld: those "
                                      "of Triton are powers of two",
                                      d, (long long)o->shape[d]);
        bits += log;
    }
    if (o->rank < 0 || o->rank > CT_CONVERT_RANK || bits > CT_LINEAR_BITS / 2)
        return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                  "the shape has a rank up to %d and up to 2^%d "
                                  "elements",
                                  CT_CONVERT_RANK, CT_LINEAR_BITS / 2);
    return CT_OK;
}

static void put_tensor(ct_builder *b, const ct_tensor *t)
{
    char text[CT_TEXT_BYTES];
    if (t->swizzle.bits > 0 || !ct_offset_is_zero(&t->offset))
        ct_format_tensor(text, sizeof text, *t);
    else ct_format_layout(text, sizeof text, t->layout);
    ct_put_text(b, text);
}

static ct_status write_text(ct_builder *b, const ct_exchange *x, const ct_convert_options *o,
                            ct_diag *diag)
{
    const int bits = o->element_bits ? o->element_bits : x->element_bits;
    if (is_triton(o->to)) {
        const int threads = o->to == CT_SYSTEM_TRITON_BLOCKED || o->to == CT_SYSTEM_TRITON_LINEAR;
        ct_bases f;
        const ct_status bad =
            ct_exchange_bases(x, threads ? CT_MAPS_THREADS : CT_MAPS_MEMORY, o, &f, diag);
        return bad ? bad : ct_write_triton(b, o->to, &f, bits, diag);
    }
    ct_tensor t;
    const ct_status bad = ct_exchange_tensor(x, &t, diag);
    if (bad) return bad;
    const int strides = o->to >= CT_SYSTEM_MDSPAN;
    if (strides && x->maps == CT_MAPS_THREADS)
        return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                  "the text maps threads to elements, and %s "
                                  "coordinates to offsets",
                                  systems[o->to].name);
    if (is_cute(o->to)) return ct_write_cute(b, o->to, &t, diag);
    if (o->to == CT_SYSTEM_NUMPY) return ct_write_numpy(b, &t, bits, diag);
    if (strides) return ct_write_mdspan(b, o->to, &t, diag);
    put_tensor(b, &t);
    return CT_OK;
}

ct_status ct_convert_layout(const char *text, const ct_convert_options *options, char *out,
                            ct_diag *diag)
{
    ct_exchange x;
    ct_builder b = ct_builder_fixed(out, CT_CONVERT_BYTES);
    out[0] = '\0';
    if (!ct_system_name(options->to, NULL) || options->to == CT_SYSTEM_TRITON)
        return ct_conversion_fail(diag, CT_E_ARGUMENT, "there is no system %d to write",
                                  (int)options->to);
    ct_status bad = check_options(options, diag);
    if (!bad) bad = read_text(text, options, &x, diag);
    if (!bad) bad = write_text(&b, &x, options, diag);
    if (bad) {
        out[0] = '\0';
        return bad;
    }
    if (ct_builder_end(&b) >= CT_CONVERT_BYTES) {
        out[0] = '\0';
        return ct_conversion_fail(diag, CT_E_CAPACITY, "the result is longer than %d bytes",
                                  CT_CONVERT_BYTES - 1);
    }
    return CT_OK;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Two linear layouts of Triton, input by input. */
static int same_bases(const ct_bases *a, const ct_bases *b, int maps, ct_diag *diag)
{
    const char *const inputs[] = {maps == CT_MAPS_THREADS ? "register" : "offset", "lane", "warp",
                                  "block"};
    const int rank = a->rank == b->rank ? a->rank : -1;
    if (ct_bases_equal(a, b)) return 1;
    if (rank < 0 || memcmp(a->log, b->log, sizeof(int) * (size_t)rank) != 0) {
        ct_conversion_fail(diag, CT_OK, "they are layouts of tensors of different shapes");
        return 0;
    }
    for (int in = 0; in < CT_IN_COUNT; ++in) {
        if (a->bits[in] != b->bits[in]) {
            ct_conversion_fail(diag, CT_OK, "`%s` has %d bases in the first, %d in the second",
                               inputs[in], a->bits[in], b->bits[in]);
            return 0;
        }
        for (int k = 0; k < a->bits[in]; ++k) {
            if (a->image[in][k] == b->image[in][k]) continue;
            ct_conversion_fail(diag, CT_OK,
                               "basis %d of `%s` is index %lld of the tensor in the "
                               "first, %lld in the second",
                               k, inputs[in], (long long)a->image[in][k],
                               (long long)b->image[in][k]);
            return 0;
        }
    }
    return 0;
}

static ct_status same_tensors(const ct_tensor *a, const ct_tensor *b, int *same, ct_diag *diag)
{
    ct_value v[2];
    int64_t index;
    memset(v, 0, sizeof v);
    v[0].kind = v[1].kind = CT_KIND_TENSOR;
    v[0].as.tensor = *a;
    v[1].as.tensor = *b;
    int plain = 1;
    for (int i = 0; i < 2; ++i)
        plain &= v[i].as.tensor.swizzle.bits == 0 && ct_offset_is_zero(&v[i].as.tensor.offset);
    for (int i = 0; i < 2 && plain; ++i) {
        const ct_layout L = v[i].as.tensor.layout;
        v[i].kind = CT_KIND_LAYOUT;
        v[i].as.layout = L;
    }
    if (ct_value_equal(&v[0], &v[1])) { /* one that has no offsets is the same as itself */
        *same = 1;
        return CT_OK;
    }
    *same = ct_value_same_function(&v[0], &v[1], &index);
    if (*same < 0) {
        *same = 0;
        return ct_conversion_fail(diag, CT_E_UNDECIDED,
                                  "composed layouts of more than %d coordinates "
                                  "are not compared",
                                  CT_MAX_LIST);
    }
    if (*same) return CT_OK;
    if (index < 0) {
        ct_conversion_fail(diag, CT_OK, "the first has %lld coordinates, the second %lld",
                           (long long)ct_size(a->layout), (long long)ct_size(b->layout));
        return CT_OK;
    }
    char at[2][128];
    for (int i = 0; i < 2; ++i) {
        const ct_tuple x = ct_function_at(&v[i], index);
        if (x.err.status) return ct_conversion_error(diag, x.err);
        ct_format_tuple(at[i], sizeof at[i], x);
    }
    ct_conversion_fail(diag, CT_OK, "at index %lld the first has %s, the second %s",
                       (long long)index, at[0], at[1]);
    return CT_OK;
}

ct_status ct_same_layout(const char *a, const char *b, const ct_convert_options *options, int *same,
                         int *text_failed, ct_diag *diag)
{
    ct_exchange x, y;
    ct_tensor t, u;
    int ignored;
    int *const failed = text_failed ? text_failed : &ignored;
    *failed = -1;
    *same = 0;
    if (diag) memset(diag, 0, sizeof *diag);
    ct_status bad = check_options(options, diag);
    if (bad) return bad;
    *failed = 0;
    if ((bad = read_text(a, options, &x, diag))) return bad;
    *failed = 1;
    if ((bad = read_text(b, options, &y, diag))) return bad;
    *failed = -1;
    if (x.maps != CT_MAPS_ANY && y.maps != CT_MAPS_ANY && x.maps != y.maps)
        return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                  "one maps threads to elements, the other "
                                  "coordinates to offsets");
    if (x.has_bases && y.has_bases) {
        *same = same_bases(&x.bases, &y.bases, x.maps, diag);
        return CT_OK;
    }
    if ((bad = ct_exchange_tensor(&x, &t, diag)) || (bad = ct_exchange_tensor(&y, &u, diag)))
        return bad;
    return same_tensors(&t, &u, same, diag);
}

/* Layouts in the forms of CuTe; see read_cute.c. */
#include "exchange.h"

/* How tuples are written: `(4,8)`, `(_4,_8)`, Python's `(4, 8)`, or the types `Shape<_4,_8>`. */
typedef struct style {
    ct_builder *b;
    int system;
} style;

/* Whether integral_constant.hpp has a name `_n`. */
static int has_name(int64_t n)
{
    if (n < 0) return 0;
    if (n <= 10 || n == 12 || n == 16 || n == 24 || n == 32) return 1;
    return n <= 256 ? n % 8 == 0 && n >= 40 : n == 384 || n == 512;
}

static void put_constant(ct_builder *b, int64_t n)
{
    const char *const type = n == (int32_t)n ? "Int" : "C";
    if (has_name(n)) ct_put(b, "_%lld", (long long)n);
    else ct_put(b, "%s<%lld>", type, (long long)n);
}

/* The modes of a basis element, outermost first, which is how C++ and Python have them. */
static void put_path(ct_builder *b, uint32_t basis)
{
    for (const char *between = ""; basis != CT_INTEGER; basis >>= 8, between = ",")
        ct_put(b, "%s%d", between, (int)(basis & 255) - 1);
}

static void put_type_basis(ct_builder *b, int64_t n, uint32_t basis)
{
    if (n == 1) {
        ct_put_text(b, "E<");
    } else {
        ct_put_text(b, "ScaledBasis<");
        put_constant(b, n);
        ct_put_char(b, ',');
    }
    put_path(b, basis);
    ct_put_char(b, '>');
}

static void put_dsl_basis(ct_builder *b, int64_t n, uint32_t basis)
{
    ct_put_text(b, "cute.E([");
    put_path(b, basis);
    ct_put_text(b, "])");
    if (n != 1) ct_put(b, " * %lld", (long long)n);
}

static void put_leaf(const style *s, int64_t n, uint32_t basis)
{
    ct_builder *const b = s->b;
    if (s->system == CT_SYSTEM_CUTE && basis != CT_INTEGER) {
        put_type_basis(b, n, basis);
    } else if (s->system == CT_SYSTEM_CUTE_DSL && basis != CT_INTEGER) {
        put_dsl_basis(b, n, basis);
    } else if (s->system == CT_SYSTEM_CUTE) {
        put_constant(b, n);
    } else {
        ct_put(b, "%s%lld", s->system == CT_SYSTEM_CUTE_PRINT ? "_" : "", (long long)n);
        char modes[4];
        int levels = 0;
        for (; basis != CT_INTEGER; basis >>= 8) modes[levels++] = (char)((basis & 255) - 1);
        while (levels > 0) ct_put(b, "@%d", (unsigned char)modes[--levels]);
    }
}

static void put_tuple(const style *s, const ct_profile *p, const int64_t *value,
                      const uint32_t *basis, const char *type)
{
    ct_builder *const b = s->b;
    const int types = s->system == CT_SYSTEM_CUTE, python = s->system == CT_SYSTEM_CUTE_DSL;
    int modes[256] = {0}, depth = 0; /* of the tuples that are open */
    if (p->leaves == 0) ct_put(b, types ? "%s<>" : "()", type);
    for (int i = 0; i < p->leaves; ++i) {
        if (i > 0) ct_put_text(b, python ? ", " : ",");
        for (int k = 0; k < p->open[i]; ++k) {
            if (types) ct_put(b, "%s<", type);
            else ct_put_char(b, '(');
            ++modes[depth++];
            modes[depth] = 0;
        }
        ++modes[depth];
        put_leaf(s, value[i], basis ? basis[i] : CT_INTEGER);
        for (int k = 0; k < p->close[i]; ++k) {
            if (python && modes[depth] == 1) ct_put_char(b, ','); /* a tuple of one: (4,) */
            --depth;
            ct_put_char(b, types ? '>' : ')');
        }
    }
}

static void put_layout(const style *s, const ct_layout *L)
{
    const int types = s->system == CT_SYSTEM_CUTE, python = s->system == CT_SYSTEM_CUTE_DSL;
    if (types) ct_put_text(s->b, "Layout<");
    if (python) ct_put_text(s->b, "cute.make_layout(");
    put_tuple(s, &L->profile, L->shape, NULL, "Shape");
    ct_put_text(s->b, types ? "," : python ? ", stride=" : ":");
    put_tuple(s, &L->profile, L->stride, L->basis, "Stride");
    if (types || python) ct_put_char(s->b, types ? '>' : ')');
}

static void put_swizzle(const style *s, ct_swizzle w)
{
    /* A swizzle of no bits is what an offset alone is composed with. */
    const int bits = w.bits, base = bits > 0 ? w.base : 4, shift = bits > 0 ? w.shift : 3;
    switch (s->system) {
        case CT_SYSTEM_CUTE: ct_put(s->b, "Swizzle<%d,%d,%d>", bits, base, shift); break;
        case CT_SYSTEM_CUTE_DSL:
            ct_put(s->b, "cute.make_swizzle(%d, %d, %d)", bits, base, shift);
            break;
        case CT_SYSTEM_CUTE_IR: ct_put(s->b, "S<%d,%d,%d>", bits, base, shift); break;
        default: ct_put(s->b, "Sw<%d,%d,%d>", bits, base, shift);
    }
}

static void put_composed(const style *s, const ct_tensor *t)
{
    const int types = s->system == CT_SYSTEM_CUTE, python = s->system == CT_SYSTEM_CUTE_DSL;
    const char *const between = types ? "," : python ? ", " : " o ";
    if (types) ct_put_text(s->b, "ComposedLayout<");
    if (python) ct_put_text(s->b, "cute.make_composed_layout(");
    put_swizzle(s, t->swizzle);
    ct_put_text(s->b, between);
    put_leaf(s, t->offset.profile.leaves > 0 ? t->offset.value[0] : 0, CT_INTEGER);
    ct_put_text(s->b, between);
    put_layout(s, &t->layout);
    if (types || python) ct_put_char(s->b, types ? '>' : ')');
}

ct_status ct_write_cute(ct_builder *b, int system, const ct_tensor *t, ct_diag *diag)
{
    const style s = {b, system};
    const int composed = t->swizzle.bits > 0 || !ct_offset_is_zero(&t->offset);
    if (composed && !ct_offset_is_integer(&t->offset))
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "a layout of CuTe begins at 0: the offset "
                                  "of this one is a coordinate");
    if (composed && t->swizzle.bits == 0 && t->offset.value[0] < 0)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "the offset of a composed layout is at least 0, "
                                  "not %lld",
                                  (long long)t->offset.value[0]);
    const ct_error sum = ct_sums_check(&t->layout, CT_OP_MAKE_LAYOUT);
    if (sum.status)
        return ct_conversion_fail(
            diag, CT_E_NO_LAYOUT,
            "the stride of leaf %d is a sum of %d basis elements, which has no "
            "form here",
            (int)sum.mode, (int)sum.n[0]);
    if (system == CT_SYSTEM_CUTE_IR)
        ct_put_text(b, composed ? "!cute.composed_layout<\"" : "!cute.layout<\"");
    if (composed) put_composed(&s, t);
    else put_layout(&s, &t->layout);
    if (system == CT_SYSTEM_CUTE_IR) ct_put_text(b, "\">");
    return CT_OK;
}

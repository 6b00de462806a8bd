/* A candidate as CuTe C++. */
#include <inttypes.h>

#include "base/builder.h"
#include "suggest.h"

static int64_t extent(ct_layout L, int k) { return ct_size(ct_mode(L, k)); }
static int64_t step(ct_layout L, int k) { return ct_mode(L, k).stride[0]; }

static void put_cute_layout(ct_builder *out, ct_layout L)
{
    ct_put(out,
           "Layout<Shape<Int<%" PRId64 ">, Int<%" PRId64 ">>, Stride<Int<%" PRId64 ">, "
           "Int<%" PRId64 ">>>{}",
           extent(L, 0), extent(L, 1), step(L, 0), step(L, 1));
}

/* The name of the instruction of this number of bits. */
static void put_cute_operation(ct_builder *out, const ct_suggest_copy *c)
{
    const char *const name = c->kind == CT_ATOM_UNIVERSAL     ? "UniversalCopy"
                             : c->kind == CT_ATOM_CP_ASYNC_CG ? "SM80_CP_ASYNC_CACHEGLOBAL"
                                                              : "SM80_CP_ASYNC_CACHEALWAYS";
    ct_put(out, "%s<uint%d_t>", name, c->bits);
}

static void put_cute_copy(ct_builder *out, const char *name, const char *type,
                          const ct_suggest_copy *c)
{
    ct_put(out, "auto %s = make_tiled_copy(Copy_Atom<", name);
    put_cute_operation(out, c);
    ct_put(out, ", %s>{},\n    ", type);
    put_cute_layout(out, c->thr);
    ct_put_text(out, ",\n    ");
    put_cute_layout(out, c->val);
    ct_put_text(out, ");\n");
}

int ct_suggest_as_cute(char *buf, size_t size, const ct_suggest_query *query,
                       const ct_suggestion *s, const char *type)
{
    ct_builder out = ct_builder_fixed(buf, size);
    (void)query;
    ct_put_text(&out, "#include <cute/tensor.hpp>\nusing namespace cute;\n\n");
    put_cute_copy(&out, "tile_in", type, &s->in);
    if (s->out.kind) put_cute_copy(&out, "tile_out", type, &s->out);
    ct_put_text(&out, "auto tile_shared = ");
    if (s->shared.swizzle.bits > 0)
        ct_put(&out, "composition(Swizzle<%d, %d, %d>{},\n    ", s->shared.swizzle.bits,
               s->shared.swizzle.base, s->shared.swizzle.shift);
    put_cute_layout(&out, s->shared.layout);
    ct_put_text(&out, s->shared.swizzle.bits > 0 ? ");\n" : ";\n");
    return ct_builder_end(&out);
}

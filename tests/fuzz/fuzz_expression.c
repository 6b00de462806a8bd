/* Expressions that are well formed: each operation of the table with arguments of the kinds that it
 * takes, nested; then as for any text, see eval_holds.h. */
#include "eval_holds.h"

enum { OPERATIONS_MAX = 512, NAMES_MAX = 512, NAME_BYTES = 64 };

static ct_operation_info operation[OPERATIONS_MAX];
static int operations;
static char names[NAMES_MAX][NAME_BYTES];
static int names_count;

static int keep_name(void *context, const char *name, const char *what)
{
    (void)context;
    (void)what;
    snprintf(names[names_count++], NAME_BYTES, "%s", name);
    return names_count == NAMES_MAX;
}

static void prepare(void)
{
    while (operations < OPERATIONS_MAX && ct_operation_listed(operations, &operation[operations]))
        ++operations;
    ct_atoms_listed(keep_name, NULL);
}

/* Small numbers, those around powers of two, and any. */
static int64_t number(fuzz_bytes *b, int64_t least)
{
    switch (fuzz_pick(b, 8)) {
        case 0: return ct_max(least, ((int64_t)1 << fuzz_pick(b, 63)) + fuzz_int(b, -1, 1));
        case 1: return fuzz_int(b, least, 65535 + least);
        default: return fuzz_int(b, least, least + 12);
    }
}

/* The shape of one tuple, which a second with the same parentheses may follow. */
typedef struct nesting {
    int leaves;
    char text[256]; /* `n` for a leaf, and parentheses and commas */
} nesting;

static void nest(fuzz_bytes *b, nesting *n, size_t *at, int depth)
{
    const int modes = depth == 0 ? 1 : fuzz_pick(b, 4) + 1;
    if (depth == 0 || (modes == 1 && fuzz_pick(b, 2)) || *at > 200) {
        n->text[(*at)++] = 'n';
        ++n->leaves;
        return;
    }
    n->text[(*at)++] = '(';
    for (int k = 0; k < modes && *at < 240; ++k) {
        if (k > 0) n->text[(*at)++] = ',';
        nest(b, n, at, fuzz_pick(b, 3) ? 0 : depth - 1);
    }
    n->text[(*at)++] = ')';
}

static nesting nesting_of(fuzz_bytes *b)
{
    nesting n = {0, {0}};
    size_t at = 0;
    nest(b, &n, &at, fuzz_pick(b, 4));
    n.text[at] = '\0';
    return n;
}

enum { LEAF_SHAPE, LEAF_STRIDE, LEAF_BASIS, LEAF_COORD };

static void put_leaf(fuzz_text *t, fuzz_bytes *b, int what)
{
    if (what == LEAF_COORD && fuzz_pick(b, 4) == 0) {
        fuzz_put(t, "_");
        return;
    }
    fuzz_put_int(t, what == LEAF_SHAPE ? number(b, 1) : number(b, fuzz_pick(b, 8) ? 0 : -13));
    if (what != LEAF_BASIS) return;
    fuzz_put(t, "@");
    fuzz_put_int(t, fuzz_pick(b, 3));
}

static void put_nested(fuzz_text *t, fuzz_bytes *b, const nesting *n, int what)
{
    for (const char *p = n->text; *p; ++p) {
        const char one[2] = {*p, 0};
        if (*p == 'n') put_leaf(t, b, what);
        else fuzz_put(t, one);
    }
}

static void put_layout(fuzz_text *t, fuzz_bytes *b)
{
    const nesting n = nesting_of(b);
    const int strides = fuzz_pick(b, 8);
    put_nested(t, b, &n, LEAF_SHAPE);
    if (strides == 0) return;
    fuzz_put(t, ":");
    put_nested(t, b, &n, strides == 1 ? LEAF_BASIS : LEAF_STRIDE);
}

static void put_swizzle(fuzz_text *t, fuzz_bytes *b)
{
    fuzz_put(t, "Sw<");
    fuzz_put_int(t, fuzz_pick(b, 5));
    fuzz_put(t, ",");
    fuzz_put_int(t, fuzz_pick(b, 6));
    fuzz_put(t, ",");
    fuzz_put_int(t, fuzz_int(b, -5, 5));
    fuzz_put(t, ">");
}

static void put_tiler(fuzz_text *t, fuzz_bytes *b)
{
    const int tiles = fuzz_pick(b, 4);
    fuzz_put(t, "<");
    for (int k = 0; k < tiles; ++k) {
        if (k > 0) fuzz_put(t, ",");
        if (fuzz_pick(b, 5) == 0) fuzz_put(t, "_");
        else put_layout(t, b);
    }
    fuzz_put(t, ">");
}

static void put_tensor(fuzz_text *t, fuzz_bytes *b)
{
    if (fuzz_pick(b, 3) == 0) {
        put_swizzle(t, b);
        fuzz_put(t, " o ");
        fuzz_put_int(t, number(b, 0));
        fuzz_put(t, " o ");
    } else {
        fuzz_put_int(t, number(b, 0));
        fuzz_put(t, "@");
    }
    put_layout(t, b);
}

static void put_name(fuzz_text *t, fuzz_bytes *b)
{
    if (names_count > 0) fuzz_put(t, names[fuzz_pick(b, names_count)]);
}

static void put_copy_atom(fuzz_text *t, fuzz_bytes *b)
{
    fuzz_put(t, "copy_atom(");
    put_name(t, b);
    fuzz_put(t, ",");
    fuzz_put_int(t, 8 << fuzz_pick(b, 5));
    fuzz_put(t, ")");
}

/* What has no notation of its own is made by a call. */
static void put_tiled(fuzz_text *t, fuzz_bytes *b, int is_copy)
{
    fuzz_put(t, is_copy ? "tiled_copy(" : "tiled_mma(");
    if (is_copy) put_copy_atom(t, b);
    else put_name(t, b);
    for (int k = 0; k < (is_copy ? 2 : 1); ++k) {
        fuzz_put(t, ",");
        put_layout(t, b);
    }
    fuzz_put(t, ")");
}

static void put_call(fuzz_text *t, fuzz_bytes *b, int depth);

static void put_argument(fuzz_text *t, fuzz_bytes *b, const char *kind, int depth)
{
    const nesting n = {1, "n"};
    if (depth > 0 && fuzz_pick(b, 4) == 0) put_call(t, b, depth - 1);
    else if (strcmp(kind, "integer") == 0 || strcmp(kind, "mode number") == 0)
        put_nested(t, b, &n, LEAF_STRIDE);
    else if (strcmp(kind, "tuple") == 0) {
        const nesting shape = nesting_of(b);
        put_nested(t, b, &shape, fuzz_pick(b, 4));
    } else if (strcmp(kind, "tiler") == 0) put_tiler(t, b);
    else if (strcmp(kind, "tensor") == 0) put_tensor(t, b);
    else if (strcmp(kind, "swizzle") == 0) put_swizzle(t, b);
    else if (strcmp(kind, "name") == 0 || strcmp(kind, "MMA atom") == 0) put_name(t, b);
    else if (strcmp(kind, "copy atom") == 0) put_copy_atom(t, b);
    else if (strcmp(kind, "tiled copy") == 0 || strcmp(kind, "tiled MMA") == 0)
        put_tiled(t, b, kind[6] == 'c');
    else put_layout(t, b);
}

/* One operation; `takes` names the kinds: `layout, tiler` or `layout, ..` */
static void put_call(fuzz_text *t, fuzz_bytes *b, int depth)
{
    const ct_operation_info *const o = &operation[fuzz_int(b, 0, operations - 1)];
    char kind[64] = "layout";
    int arguments = 0;
    fuzz_put(t, o->name);
    fuzz_put(t, "(");
    for (const char *at = o->takes; *at;) {
        const size_t n = strcspn(at, ",");
        const int repeats = strncmp(at, "..", 2) == 0;
        if (!repeats) snprintf(kind, sizeof kind, "%.*s", (int)n, at);
        for (int more = repeats ? fuzz_pick(b, 4) : 1; more > 0; --more) {
            if (arguments++ > 0) fuzz_put(t, ",");
            put_argument(t, b, kind, depth);
        }
        at += n;
        at += strspn(at, ", ");
    }
    fuzz_put(t, ")");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const relation[] = {"", "", "", " == ", " ~ "};
    fuzz_text t = {{0}, 0};
    fuzz_bytes b = {data, data + size};
    if (operations == 0) prepare();
    const int relate = fuzz_pick(&b, 5);
    put_call(&t, &b, 2);
    fuzz_put(&t, relation[relate]);
    if (relation[relate][0]) put_call(&t, &b, 1);
    check_evaluation(t.at);
    return 0;
}

/* cutlet compare --copy: thread and value layouts side by side on one matrix. The matrix goes through
 * a tile of shared memory and back to global memory, as the variants do; the access model counts. */
#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include "../common/operands.h"
#include "../common/progress.h"
#include "compare.h"
#include "compare/launch.h"
#include "io/types.h"
#include "suggest/measure.h"
#include "suggest/suggest.h"
#include <cutlet/host/text.h>

enum { TILE = 64, WIDEST = 128, SECTOR_BITS = 256 };

/* ---- what was asked -------------------------------------------------------------------------- */

/* A layout without swizzle or offset, a bare shape being compact. An exit status. */
static int read_plain(const char *text, ct_layout *out)
{
    ct_tensor t;
    const int status = ct_cli_memory("compare", "--copy", text, &t);
    if (status != CT_EXIT_OK) return status;
    if (t.swizzle.bits != 0 || t.offset.value[0] != 0 || !ct_is_integral(t.layout) ||
        ct_layout_rank(t.layout) != 2) {
        ct_cli_complain("compare",
                        "--copy takes layouts (m,n) -> thread and (m,n) -> value, not "
                        "`%.100s`",
                        text);
        return CT_EXIT_BAD;
    }
    *out = t.layout;
    return CT_EXIT_OK;
}

/* The `x` between two layouts. */
static const char *find_by(const char *text)
{
    const char *at = text;
    while ((at = strchr(at, 'x')) &&
           (at == text || !strchr(" )0123456789", at[-1]) || !strchr(" (_0123456789", at[1])))
        ++at;
    return at;
}

/* THR x VAL: two layouts with `x` between. */
static int read_copy(const char *text, ct_own_result *r)
{
    const char *const by = find_by(text);
    char *const thr = by ? strndup(text, (size_t)(by - text - (by > text && by[-1] == ' '))) : NULL;
    r->text = text;
    if (!thr) {
        ct_cli_complain("compare",
                        "--copy is a thread layout x a value layout, as in '(16,8):(8,1) "
                        "x (1,8)', not `%.100s`",
                        text);
        return CT_EXIT_BAD;
    }
    int status = read_plain(thr, &r->thr);
    if (status == CT_EXIT_OK) status = read_plain(by + 1, &r->val);
    free(thr);
    if (status == CT_EXIT_OK) r->threads = (int32_t)ct_min(ct_size(r->thr), INT32_MAX);
    return status;
}

static int read_type(const char *name, ct_own_ranking *k)
{
    char why[CT_MESSAGE_BYTES];
    ct_named_type type;
    k->type = name;
    if (ct_packed_type_read(name, &type, why) == 0) {
        k->elem_bits = type.bits;
        if (type.bits < 8 || (type.bits & (type.bits - 1)) == 0) return CT_EXIT_OK;
        snprintf(why, sizeof why, "elements of %d bits; an access has 8, 16, 32, 64 or 128",
                 type.bits);
    }
    ct_cli_complain("compare", "--type: %s", why);
    return CT_EXIT_BAD;
}

/* The tile: as given, or 64 x 64 where the matrix has so much; whole blocks of every copy. */
static int find_tile(ct_own_ranking *k)
{
    const int64_t given[2] = {k->tile_m, k->tile_n};
    int64_t tile[2];
    for (int axis = 0; axis < 2; ++axis) {
        int64_t block = 1;
        for (int i = 0; i < k->count; ++i) {
            const int64_t n =
                ct_size(ct_mode(k->of[i].thr, axis)) * ct_size(ct_mode(k->of[i].val, axis));
            block = block / ct_gcd(block, n) * n;
        }
        tile[axis] = given[axis] ? given[axis] : ct_max(1, TILE / block) * block;
        if (tile[axis] % block == 0) continue;
        ct_cli_complain("compare",
                        "the threads cover %lld elements along mode %d at once; a tile of "
                        "%lldx%lld is not a multiple of that",
                        (long long)block, axis, (long long)given[0], (long long)given[1]);
        return CT_EXIT_BAD;
    }
    k->tile_m = tile[0];
    k->tile_n = tile[1];
    return CT_EXIT_OK;
}

/* ---- the count ------------------------------------------------------------------------------- */

typedef struct matrices {
    ct_tensor src, dst, shared;
    int64_t shared_bytes;
    int elem_bits;
} matrices;

static ct_traffic_side side(const matrices *m, int kind, const ct_tensor *memory)
{
    return (ct_traffic_side){kind, m->elem_bits, 0, *memory};
}

static void keep_first(void *user, const ct_traffic_step *step)
{
    ct_compare_load *const first = user;
    if (first->bits) return;
    first->bits = step->access.bits;
    first->sectors = step->count.sectors;
    first->bytes_used = step->count.bytes_used;
    memcpy(first->offset, step->access.offset, sizeof first->offset);
}

/* One way, by the widest accesses that both sides allow. */
static ct_status count_way(const ct_own_result *r, const matrices *m, int to_shared, int32_t *bits,
                           ct_traffic *from, ct_traffic *to, char *message)
{
    const ct_traffic_side global =
        side(m, to_shared ? CT_ACCESS_LDG : CT_ACCESS_STG, to_shared ? &m->src : &m->dst);
    const ct_traffic_side shared = side(m, to_shared ? CT_ACCESS_STS : CT_ACCESS_LDS, &m->shared);
    const ct_tuple shape = ct_product_each(ct_shape(m->src.layout));
    ct_status bad = CT_E_ARGUMENT;
    for (*bits = ct_max(WIDEST, m->elem_bits); *bits >= m->elem_bits; *bits /= 2) {
        const ct_tiled_copy copy =
            ct_make_tiled_copy(ct_copy_atom_universal(*bits, m->elem_bits), r->thr, r->val);
        bad =
            ct_traffic_of_copy(copy, shape, to_shared ? &global : &shared,
                               to_shared ? &shared : &global, NULL, NULL, NULL, from, to, message);
        if (!bad) return CT_OK;
    }
    return bad;
}

/* The first load of the matrix, for a sentence. */
static void find_first(ct_own_result *r, const matrices *m)
{
    const ct_traffic_side global = side(m, CT_ACCESS_LDG, &m->src);
    const ct_tuple extents = ct_product_each(ct_shape(m->src.layout));
    const ct_tiled_copy copy =
        ct_make_tiled_copy(ct_copy_atom_universal(r->load_bits, m->elem_bits), r->thr, r->val);
    ct_traffic sum;
    char message[CT_MESSAGE_BYTES];
    ct_traffic_of_copy(copy, ct_cli_first_tile(copy, extents), &global, NULL, NULL, keep_first,
                       &r->first.first, &sum, NULL, message);
}

static double way_of(const ct_traffic *t)
{
    return t->wavefronts > t->conflicts
               ? (double)t->wavefronts / (double)(t->wavefronts - t->conflicts)
               : 1;
}

/* An error of a copy; an exit status. */
static int count_copy(ct_own_result *r, const matrices *m)
{
    char message[CT_MESSAGE_BYTES];
    ct_status bad = count_way(r, m, 1, &r->load_bits, &r->load, &r->put, message);
    if (!bad) bad = count_way(r, m, 0, &r->store_bits, &r->get, &r->store, message);
    if (bad) {
        ct_cli_complain("compare", "%s: %s", r->text, message);
        return bad == CT_E_MEMORY || bad == CT_E_ARGUMENT ? CT_EXIT_BAD : CT_EXIT_FAILED;
    }
    r->sectors = r->load.sectors + r->store.sectors;
    r->lines = r->load.lines + r->store.lines;
    r->instructions =
        r->load.instructions + r->put.instructions + r->get.instructions + r->store.instructions;
    r->wavefronts = r->put.wavefronts + r->get.wavefronts;
    r->conflicts = r->put.conflicts + r->get.conflicts;
    find_first(r, m);
    const double in = way_of(&r->put), out = way_of(&r->get);
    ct_compare_explain_load(&r->first, in > out ? in : out);
    return CT_EXIT_OK;
}

static int by_cost(const void *a, const void *b)
{
    const ct_own_result *const x = a, *const y = b;
    const int64_t d[4] = {x->sectors - y->sectors, x->instructions - y->instructions,
                          x->lines - y->lines, x->wavefronts - y->wavefronts};
    for (int i = 0; i < 4; ++i)
        if (d[i]) return d[i] < 0 ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* ---- the GPU --------------------------------------------------------------------------------- */

static void tell(const char *what, int32_t done, int32_t all)
{
    if (done < all) ct_cli_progress("compare", "on the GPU: %s %d of %d", what, done, all);
}

/* Times a copy; its seconds, or why not. */
static void time_copy(ct_own_ranking *k, ct_own_result *r, const matrices *m)
{
    const ct_suggest_copy in = {CT_ATOM_UNIVERSAL, r->load_bits, r->thr, r->val},
                          out = {CT_ATOM_UNIVERSAL, r->store_bits, r->thr, r->val};
    ct_suggestion item = {.in = in, .out = out, .shared = m->shared};
    item.cost.shared_bytes = m->shared_bytes;
    const ct_suggest_query query = {.elem_bits = k->elem_bits,
                                    .threads = r->threads,
                                    .tile_m = k->tile_m,
                                    .tile_n = k->tile_n,
                                    .src = m->src.layout,
                                    .has_dst = 1,
                                    .dst = m->dst.layout};
    ct_suggest_result one = {.count = 1, .item = &item};
    ct_suggest_measured measured;
    const ct_status bad = ct_suggest_measure(&query, &one, &measured, tell);
    if (bad == CT_E_BACKEND)
        snprintf(k->no_gpu, sizeof k->no_gpu, "%s%.400s",
                 strncmp(measured.message, "no GPU", 6) ? "no GPU: " : "", measured.message);
    else if (bad) snprintf(r->untimed, sizeof r->untimed, "%.500s", measured.message);
    else {
        snprintf(k->device, sizeof k->device, "%.120s", measured.device.name);
        r->seconds = measured.time[0].seconds / (double)measured.matrices;
        k->wrong += measured.wrong;
        if (r->seconds == 0)
            snprintf(r->untimed, sizeof r->untimed, "%.500s", measured.time[0].message);
    }
    ct_suggest_measured_free(&measured);
}

static void time_all(ct_own_ranking *k, const matrices *m)
{
    const int text = !k->asked->json;
    if (k->asked->no_gpu) snprintf(k->no_gpu, sizeof k->no_gpu, "no GPU: --no-gpu");
    if (k->no_gpu[0] && text) ct_own_print_time(k, k->of, stdout);
    for (int i = 0; i < k->count && !k->no_gpu[0]; ++i) {
        time_copy(k, &k->of[i], m);
        ct_cli_progress_end();
        if (text) ct_own_print_time(k, &k->of[i], stdout);
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Whether the second mode is the contiguous one. */
static int is_row_major(ct_layout L)
{
    const ct_layout m = ct_coalesce(ct_mode(L, 0)), n = ct_coalesce(ct_mode(L, 1));
    return ct_abs(n.stride[0]) < ct_abs(m.stride[0]) || ct_size(m) == 1;
}

/* A layout of packed elements in bytes, along the same mode as the source. */
static int pack(const ct_own_ranking *k, ct_layout *L, const char *name, int mode)
{
    char why[CT_MESSAGE_BYTES];
    int found = mode;
    const ct_layout before = *L;
    if (ct_suggest_layout_as_bytes(L, k->elem_bits, name, &found, why)) {
        ct_cli_complain("compare", "%s", why);
        return CT_EXIT_FAILED;
    }
    if (found == mode && ct_size(before) * k->elem_bits == ct_size(*L) * 8) return CT_EXIT_OK;
    ct_cli_complain("compare",
                    "%s: bytes hold elements of %d bits along mode %d, that of --src; values that "
                    "follow one another along it have to fill whole bytes",
                    name, k->elem_bits, mode);
    return CT_EXIT_FAILED;
}

/* Packed elements, of 4 and 6 bits, as the bytes that hold them. */
static int pack_all(ct_own_ranking *k, matrices *m)
{
    int mode = ct_abs(ct_coalesce(ct_mode(m->src.layout, 0)).stride[0]) != 1;
    int status = pack(k, &m->src.layout, "--src", mode);
    if (status == CT_EXIT_OK) status = pack(k, &m->dst.layout, "--dst", mode);
    for (int i = 0; i < k->count && status == CT_EXIT_OK; ++i)
        status = pack(k, &k->of[i].val, k->of[i].text, mode);
    int64_t *const tile = mode == 0 ? &k->tile_m : &k->tile_n;
    *tile = ct_ceil_div_int(*tile * k->elem_bits, 8);
    snprintf(k->packed, sizeof k->packed, "%.40s as bytes", k->type);
    k->type = k->packed;
    k->elem_bits = m->elem_bits = 8;
    return status;
}

/* The layouts in memory. */
static int read_matrices(const ct_own_copies *asked, ct_own_ranking *k, matrices *m)
{
    int status = ct_cli_memory("compare", "--src", asked->src, &m->src);
    if (status != CT_EXIT_OK) return status;
    m->dst = m->src;
    m->elem_bits = k->elem_bits;
    k->tile_m = asked->tile_m;
    k->tile_n = asked->tile_n;
    if (asked->dst) status = ct_cli_memory("compare", "--dst", asked->dst, &m->dst);
    if (status == CT_EXIT_OK && (ct_layout_rank(m->src.layout) != 2 || m->src.swizzle.bits)) {
        ct_cli_complain("compare", "--src is a matrix (m,n) -> offset without a swizzle, as in "
                                   "'(4096,4096):(4096,1)'");
        return CT_EXIT_BAD;
    }
    for (int i = 0; i < k->count && status == CT_EXIT_OK; ++i)
        status = read_copy(asked->text[i], &k->of[i]);
    const int bits = k->elem_bits;
    if (status == CT_EXIT_OK && bits < 8) status = pack_all(k, m);
    if (status == CT_EXIT_OK) status = find_tile(k);
    if (status != CT_EXIT_OK) return status;
    const ct_tuple tile = ct_tuple2(k->tile_m, k->tile_n);
    const ct_layout plain =
        is_row_major(m->src.layout) ? ct_make_row_major(tile) : ct_make_col_major(tile);
    m->shared = ct_make_swizzled(ct_swizzle_none(), 0, plain);
    if (asked->shared) status = ct_cli_memory("compare", "--shared", asked->shared, &m->shared);
    if (status == CT_EXIT_OK && asked->shared && bits < 8)
        status = ct_cli_bytes_of("compare", bits, &m->shared);
    if (status != CT_EXIT_OK) return status;
    m->shared_bytes = ct_tensor_cosize(m->shared).value[0] * k->elem_bits / 8;
    k->src = m->src.layout;
    k->shared = m->shared;
    k->elements = ct_size(m->src.layout);
    k->least = 2 * ct_ceil_div_int(k->elements * k->elem_bits, SECTOR_BITS);
    return status;
}

static int show_json(const ct_own_ranking *k)
{
    if (!k->asked->json || ct_own_json(k, stdout) == 0) return CT_EXIT_OK;
    ct_cli_complain("compare", "not enough memory for the JSON text");
    return CT_EXIT_BAD;
}

int ct_compare_own(const ct_own_copies *asked)
{
    ct_own_ranking k = {.asked = asked, .count = asked->count};
    matrices m;
    memset(&m, 0, sizeof m);
    k.of = calloc((size_t)asked->count, sizeof *k.of);
    if (!k.of) {
        ct_cli_complain("compare", "out of memory");
        return CT_EXIT_BAD;
    }
    int status = read_type(asked->type, &k);
    if (status == CT_EXIT_OK) status = read_matrices(asked, &k, &m);
    ct_cli_progress_begin("compare", "counting");
    for (int i = 0; i < k.count && status == CT_EXIT_OK; ++i) status = count_copy(&k.of[i], &m);
    ct_cli_progress_end();
    if (status == CT_EXIT_OK) {
        qsort(k.of, (size_t)k.count, sizeof *k.of, by_cost);
        if (!asked->json) ct_own_print(&k, stdout);
        fflush(stdout);
        time_all(&k, &m);
        status = show_json(&k);
        if (status == CT_EXIT_OK && k.wrong) status = CT_EXIT_FAILED;
    }
    free(k.of);
    return status;
}

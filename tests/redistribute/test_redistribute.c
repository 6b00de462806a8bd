/* Plans of redistributions against enumeration: every element that a rank needs comes once, from a
 * rank that holds it, and no more is sent. */
#include "test.h"

#include <cutlet/host/redistribute.h>
#include "division_oracle.h"
#include "sharded_oracle.h"

enum { RANKS = 16 };

/* What each rank of a side holds: the element at each offset, or -1. */
typedef struct side {
    int64_t *element[RANKS], span[RANKS];
    char *holds[RANKS]; /* by element */
} side;

static void side_of(const ct_sharded *s, int64_t ranks, side *out)
{
    for (int64_t r = 0; r < ranks; ++r) {
        held_element *e;
        const int64_t count = held_by(s, r, &e);
        out->span[r] = ct_sharded_span(s, r);
        out->element[r] = malloc(((size_t)out->span[r] + 1) * sizeof(int64_t));
        out->holds[r] = calloc((size_t)tensor_size(s), 1);
        for (int64_t i = 0; i < out->span[r]; ++i) out->element[r][i] = -1;
        for (int64_t i = 0; i < count; ++i) {
            out->element[r][e[i].offset] = e[i].element;
            out->holds[r][e[i].element] = 1;
        }
        free(e);
    }
}

static void side_free(side *s, int64_t ranks)
{
    for (int64_t r = 0; r < ranks; ++r) free(s->element[r]), free(s->holds[r]);
}

typedef struct checked {
    const char *text; /* of the case */
    const ct_redistribute_desc *desc;
    int64_t ranks, size;
    side src, dst;
    ct_redistribute *plan[RANKS];
    int64_t *brought[RANKS]; /* how often an element is brought to a rank */
    int64_t bytes, messages, sent[RANKS][RANKS], round[RANKS][RANKS];
} checked;

/* The elements of a piece are the same on both sides, and are brought. */
static void check_piece(checked *c, const ct_transfer *t, const ct_transfer_piece *p,
                        int64_t *elems)
{
    const int64_t size = ct_tensor_size(p->src);
    if (size != ct_tensor_size(p->dst)) fail_msg("%s: pieces of two sizes", c->text);
    for (int64_t i = 0; i < size; ++i) {
        const int64_t from = ct_tensor_eval(p->src, i), to = ct_tensor_eval(p->dst, i);
        if (from < 0 || from >= c->src.span[t->from] || to < 0 || to >= c->dst.span[t->to] ||
            c->src.element[t->from][from] < 0 ||
            c->src.element[t->from][from] != c->dst.element[t->to][to])
            fail_msg("%s: %d -> %d: offset %lld to %lld", c->text, t->from, t->to, (long long)from,
                     (long long)to);
        c->brought[t->to][c->dst.element[t->to][to]]++;
        if (i == 0 && t->from != t->to &&
            c->src.holds[t->to < 0 ? 0 : t->to][c->src.element[t->from][from]])
            fail_msg("%s: rank %d holds what rank %d sends it", c->text, t->to, t->from);
    }
    int64_t first = 0, weight = 1;
    for (int d = 0; d < c->desc->src.layout.modes; weight *= c->desc->src.layout.shape[d++])
        first += p->first[d] * weight;
    if (first != c->src.element[t->from][ct_tensor_eval(p->src, 0)]) fail_msg("%s: first", c->text);
    *elems += size;
}

/* The sender's list: what its pieces are. */
static void check_sent(checked *c, int64_t r)
{
    const ct_transfer *list;
    const int32_t count = ct_redistribute_transfers(c->plan[r], &list);
    for (int32_t t = 0; t < count; ++t) {
        if (list[t].from != r) continue;
        int64_t elems = 0;
        for (int32_t k = 0; k < list[t].pieces; ++k) {
            ct_transfer_piece p;
            ct_redistribute_piece(c->plan[r], t, k, &p);
            check_piece(c, &list[t], &p, &elems);
        }
        if (elems != list[t].elems || elems == 0)
            fail_msg("%s: %d -> %d: elems", c->text, list[t].from, list[t].to);
        if (list[t].to == r) continue;
        c->sent[r][list[t].to] = elems;
        c->round[r][list[t].to] = list[t].round;
        c->bytes += list[t].bytes;
        c->messages++;
    }
}

/* The receiver's list is the sender's. */
static void check_received(checked *c, int64_t r)
{
    const ct_transfer *list;
    const int32_t count = ct_redistribute_transfers(c->plan[r], &list);
    int64_t seen = 0, sent = 0;
    for (int32_t t = 0; t < count; ++t) {
        if (list[t].from == r) continue;
        ++seen;
        if (list[t].to != r || list[t].elems != c->sent[list[t].from][r] ||
            list[t].round != c->round[list[t].from][r])
            fail_msg("%s: %d -> %d differs on the receiver", c->text, list[t].from, list[t].to);
        const ct_transfer *other;
        const int32_t others = ct_redistribute_transfers(c->plan[list[t].from], &other);
        int32_t u = 0;
        while (u < others && other[u].to != r) ++u;
        for (int32_t k = 0; k < list[t].pieces; ++k) { /* in the same order */
            ct_transfer_piece p, q;
            ct_redistribute_piece(c->plan[r], t, k, &p);
            ct_redistribute_piece(c->plan[list[t].from], u, k, &q);
            if (!ct_layout_equal(p.src.layout, q.src.layout) ||
                !ct_layout_equal(p.dst.layout, q.dst.layout) ||
                p.src.offset.value[0] != q.src.offset.value[0] ||
                p.dst.offset.value[0] != q.dst.offset.value[0])
                fail_msg("%s: %d -> %d: piece %d differs on the receiver", c->text, list[t].from,
                         list[t].to, k);
        }
    }
    for (int64_t from = 0; from < c->ranks; ++from) sent += c->sent[from][r] > 0;
    if (seen != sent)
        fail_msg("%s: rank %lld is sent %lld and expects %lld", c->text, (long long)r,
                 (long long)sent, (long long)seen);
}

/* In a round a rank sends one message at most, and receives one. */
static void check_rounds(checked *c, const ct_redistribute_info *info)
{
    int64_t most = 0;
    for (int64_t r = 0; r < c->ranks; ++r) {
        char sends[RANKS + 1] = {0}, receives[RANKS + 1] = {0};
        int64_t out = 0, in = 0;
        for (int64_t o = 0; o < c->ranks; ++o) {
            if (c->sent[r][o]) {
                ++out;
                if (c->round[r][o] < 0 || c->round[r][o] >= info->rounds || sends[c->round[r][o]]++)
                    fail_msg("%s: rank %lld sends twice in round %lld", c->text, (long long)r,
                             (long long)c->round[r][o]);
            }
            if (c->sent[o][r]) {
                ++in;
                if (receives[c->round[o][r]]++)
                    fail_msg("%s: rank %lld receives twice in a round", c->text, (long long)r);
            }
        }
        most = out > most ? out : most;
        most = in > most ? in : most;
    }
    if (most != info->least_rounds || info->rounds != most)
        fail_msg("%s: %lld rounds, least %lld; a rank has %lld", c->text, (long long)info->rounds,
                 (long long)info->least_rounds, (long long)most);
}

/* Ranks that hold the same send as many messages, or one more. */
static void check_shares(checked *c)
{
    for (int64_t r = 0; r < c->ranks; ++r)
        for (int64_t o = 0; o < c->ranks; ++o) {
            int64_t a = 0, b = 0, some = 0;
            for (int64_t i = 0; i < c->size; ++i) some |= c->src.holds[r][i];
            if (!some || memcmp(c->src.holds[r], c->src.holds[o], (size_t)c->size)) continue;
            for (int64_t to = 0; to < c->ranks; ++to)
                a += c->sent[r][to] > 0, b += c->sent[o][to] > 0;
            if (a > b + 1)
                fail_msg("%s: ranks %lld and %lld send %lld and %lld messages", c->text,
                         (long long)r, (long long)o, (long long)a, (long long)b);
        }
}

static void check_plans(const ct_redistribute_desc *desc, const char *text)
{
    checked *const c = calloc(1, sizeof *c);
    char message[CT_MESSAGE_BYTES];
    ct_redistribute_info info, own, all;
    int64_t needed = 0, most_sent = 0, most_received = 0;
    c->text = text;
    c->desc = desc;
    c->size = tensor_size(&desc->src.layout);
    c->ranks = ct_max(ct_sharded_ranks(&desc->src.layout), ct_sharded_ranks(&desc->dst.layout));
    side_of(&desc->src.layout, c->ranks, &c->src);
    side_of(&desc->dst.layout, c->ranks, &c->dst);
    for (int64_t r = 0; r < c->ranks; ++r) {
        if (ct_redistribute_create(desc, r, &c->plan[r], message))
            fail_msg("%s: %s", text, message);
        c->brought[r] = calloc((size_t)c->size, sizeof(int64_t));
    }
    for (int64_t r = 0; r < c->ranks; ++r) check_sent(c, r);
    ct_redistribute_info_of(c->plan[0], &info);
    for (int64_t r = 0; r < c->ranks; ++r) {
        int64_t sent = 0, received = 0;
        check_received(c, r);
        for (int64_t i = 0; i < c->size; ++i) {
            if (c->brought[r][i] != c->dst.holds[r][i])
                fail_msg("%s: element %lld is brought to rank %lld %lld times", text, (long long)i,
                         (long long)r, (long long)c->brought[r][i]);
            needed += c->dst.holds[r][i] && !c->src.holds[r][i];
        }
        for (int64_t o = 0; o < c->ranks; ++o) sent += c->sent[r][o], received += c->sent[o][r];
        most_sent = ct_max(most_sent, sent);
        most_received = ct_max(most_received, received);
        ct_redistribute_info_of(c->plan[r], &own);
        if (own.elems_sent != sent || own.elems_received != received ||
            own.all_bytes != info.all_bytes)
            fail_msg("%s: the numbers of rank %lld", text, (long long)r);
    }
    const int64_t wire = c->messages ? c->bytes / ct_max(1, needed) : 4;
    if (c->bytes != needed * wire || info.all_bytes != c->bytes || info.least_bytes != c->bytes ||
        info.all_messages != c->messages || info.most_sent != most_sent * wire ||
        info.most_received != most_received * wire)
        fail_msg(
            "%s: %lld bytes in %lld messages, not %lld in %lld; most %lld and %lld, not %lld and %lld",
            text, (long long)info.all_bytes, (long long)info.all_messages,
            (long long)(needed * wire), (long long)c->messages, (long long)info.most_sent,
            (long long)info.most_received, (long long)(most_sent * wire),
            (long long)(most_received * wire));
    check_rounds(c, &info);
    check_shares(c);
    assert_int_equal(ct_redistribute_simulate(desc, &all, message), CT_OK);
    assert_int_equal(all.all_bytes, info.all_bytes);
    assert_int_equal(all.rounds, info.rounds);
    assert_int_equal(all.all_messages, info.all_messages);
    for (int64_t r = 0; r < c->ranks; ++r) {
        ct_redistribute_destroy(c->plan[r]);
        free(c->brought[r]);
    }
    side_free(&c->src, c->ranks);
    side_free(&c->dst, c->ranks);
    free(c);
}

static uint64_t seed_asked(void)
{
    const char *const asked = getenv("CUTLET_SEED");
    const uint64_t seed = asked ? strtoull(asked, NULL, 10) : 1;
    print_message("# seed %llu\n", (unsigned long long)seed);
    return seed;
}

TEST(test_random)
{
    const uint64_t seed = seed_asked();
    for (int number = 0; number < 600; ++number) {
        dice d = dice_of_case(seed, (uint64_t)number);
        int64_t shape[CT_SHARDED_MODES];
        char src[1024], dst[1024], text[4096];
        ct_redistribute_desc desc = {0};
        const int modes = random_shape(&d, 400, shape);
        const int64_t ranks = dice_int(&d, 1, RANKS);
        desc.src.layout = any_sharded(&d, shape, modes, ranks, src);
        desc.dst.layout =
            any_sharded(&d, shape, modes, dice_int(&d, 0, 3) ? ranks : dice_int(&d, 1, RANKS), dst);
        desc.src.type = CT_TYPE_FLOAT;
        desc.dst.type = dice_int(&d, 0, 1) ? CT_TYPE_FLOAT : CT_TYPE_HALF;
        snprintf(text, sizeof text, "case %d, (%lld,%lld,%lld..), %s to %s", number,
                 (long long)shape[0], (long long)(modes > 1 ? shape[1] : 1),
                 (long long)(modes > 2 ? shape[2] : 1), src, dst);
        check_plans(&desc, text);
    }
}

static ct_redistribute_desc desc_of(ct_tuple shape, ct_tuple mesh, const char *from, const char *to)
{
    ct_redistribute_desc desc = {0};
    char message[CT_MESSAGE_BYTES];
    if (ct_parse_sharded(from, shape, mesh, &desc.src.layout, message) ||
        ct_parse_sharded(to, shape, mesh, &desc.dst.layout, message))
        fail_msg("%s to %s: %s", from, to, message);
    desc.src.type = desc.dst.type = CT_TYPE_FLOAT;
    return desc;
}

/* Named forms, all with all, on meshes of one and two modes. */
TEST(test_forms)
{
    static const char *const one[] = {"shard:0",    "shard:1",    "replicate", "cyclic:0:2",
                                      "cyclic:1:3", "cyclic:0:1", "shard:1/f", "shard:0/(40,2)"};
    static const char *const two[] = {
        "shard:0,shard:1",   "shard:1,shard:0",    "shard:0,shard:0",    "replicate,shard:0",
        "shard:1,replicate", "cyclic:0:2,shard:1", "replicate,replicate"};
    for (int64_t ranks = 1; ranks <= 8; ++ranks)
        for (size_t i = 0; i < 8; ++i)
            for (size_t k = 0; k < 8; ++k) {
                const ct_redistribute_desc desc =
                    desc_of(ct_tuple2(12, 19), ct_tuple1(ranks), one[i], one[k]);
                char text[128];
                snprintf(text, sizeof text, "%s to %s on %d", one[i], one[k], (int)ranks);
                check_plans(&desc, text);
            }
    for (size_t i = 0; i < 7; ++i)
        for (size_t k = 0; k < 7; ++k) {
            const ct_redistribute_desc desc =
                desc_of(ct_tuple2(12, 19), ct_tuple2(2, 3), two[i], two[k]);
            char text[128];
            snprintf(text, sizeof text, "%s to %s", two[i], two[k]);
            check_plans(&desc, text);
        }
}

/* Whether points, ascending, are all sums of the digits of some layout. */
static int is_layout(const placed *set, int64_t count)
{
    if (count == 1) return 1;
    for (int64_t extent = 2; extent <= count; ++extent) {
        if (count % extent) continue;
        placed left[256];
        int64_t kept = 0;
        char used[256] = {0};
        int fits = 1;
        for (int64_t i = 0; i < count && fits;
             ++i) { /* the least one left begins a run of the first digit */
            if (used[i]) continue;
            left[kept++] = set[i];
            for (int64_t e = 0, at = i; e < extent; ++e) {
                placed wanted;
                for (int k = 0; k < 3; ++k)
                    wanted.value[k] = set[i].value[k] + e * (set[1].value[k] - set[0].value[k]);
                while (at < count && (memcmp(&set[at], &wanted, sizeof wanted) || used[at])) ++at;
                if (at == count) {
                    fits = 0;
                    break;
                }
                used[at] = 1;
            }
        }
        if (fits && is_layout(left, kept)) return 1;
    }
    return 0;
}

/* The coordinates along the only mode that a rank sends another, with their places in both memories. */
static int64_t set_sent(const ct_redistribute_desc *desc, const ct_transfer *t, placed *set)
{
    const int64_t extent = desc->src.layout.shape[0];
    int64_t at[2][256];
    int64_t count = 0;
    memset(at, -1, sizeof at);
    for (int side = 0; side < 2; ++side) {
        held_element *e;
        const int64_t n =
            side ? held_by(&desc->dst.layout, t->to, &e) : held_by(&desc->src.layout, t->from, &e);
        for (int64_t i = 0; i < n; ++i) at[side][e[i].element] = e[i].offset;
        free(e);
    }
    for (int64_t i = 0; i < extent; ++i)
        if (at[0][i] >= 0 && at[1][i] >= 0) set[count++] = (placed){{i, at[0][i], at[1][i]}};
    return count;
}

typedef struct pieces_seen {
    int64_t single, several, divided, most;
} pieces_seen;

/* A set that a rank sends another has one piece where it is a layout. A small one has the fewest. */
static void check_pieces(const ct_redistribute_desc *desc, const ct_transfer *t, const char *text,
                         pieces_seen *seen)
{
    static divisions all;
    placed set[256];
    const int64_t count = set_sent(desc, t, set);
    const int one = is_layout(set, count);
    if (one && t->pieces > 1)
        fail_msg("%s: %d -> %d is one layout, and the plan has %d pieces", text, t->from, t->to,
                 t->pieces);
    seen->single += one;
    seen->several += !one;
    if (one || count > DIVIDED) return;
    all_divisions(set, (int)count, &all);
    const int least = all.fewest[(1 << count) - 1];
    if (t->pieces != least)
        fail_msg("%s: %d -> %d has %d pieces, and the fewest are %d", text, t->from, t->to,
                 t->pieces, least);
    seen->divided++;
    seen->most = ct_max(seen->most, least);
}

/* Along one mode, in rows and in any order of memory. */
TEST(test_pieces)
{
    const uint64_t seed = seed_asked();
    for (int any_order = 0; any_order < 2; ++any_order) {
        pieces_seen seen = {0, 0, 0, 0};
        for (int number = 0; number < 1500; ++number) {
            dice d = dice_of_case(seed ^ 77, (uint64_t)number);
            int64_t shape[CT_SHARDED_MODES] = {dice_int(&d, 1, 120)};
            char src[1024], dst[1024], text[2200], message[CT_MESSAGE_BYTES];
            ct_redistribute_desc desc = {0};
            const int64_t ranks = dice_int(&d, 1, 8);
            desc.src.layout = any_sharded(&d, shape, 1, ranks, src);
            desc.dst.layout = any_sharded(&d, shape, 1, ranks, dst);
            if (!any_order) desc.src.layout.memory = desc.dst.layout.memory = CT_MEMORY_ROWS;
            desc.src.type = desc.dst.type = CT_TYPE_FLOAT;
            snprintf(text, sizeof text, "case %d: %s to %s of %lld", number, src, dst,
                     (long long)shape[0]);
            for (int64_t r = 0; r < ranks; ++r) {
                ct_redistribute *plan;
                const ct_transfer *list;
                if (ct_redistribute_create(&desc, r, &plan, message)) fail_msg("%s", message);
                const int32_t count = ct_redistribute_transfers(plan, &list);
                for (int32_t t = 0; t < count; ++t)
                    if (list[t].from == r) check_pieces(&desc, &list[t], text, &seen);
                ct_redistribute_destroy(plan);
            }
        }
        print_message(
            "# %s: %lld sets are one layout, %lld are not; of these %lld small ones have the fewest, up to %lld\n",
            any_order ? "any order" : "rows", (long long)seen.single, (long long)seen.several,
            (long long)seen.divided, (long long)seen.most);
        assert_true(seen.single > 1000 && seen.several > 20 && seen.divided > 20 && seen.most > 2);
    }
}

TEST(test_refusals)
{
    const ct_redistribute_desc good =
        desc_of(ct_tuple2(12, 16), ct_tuple1(4), "shard:0", "shard:1");
    char message[CT_MESSAGE_BYTES];
    ct_redistribute *plan;
#define REFUSES(change, rank, wanted, says)                                                        \
    do {                                                                                           \
        ct_redistribute_desc desc = good;                                                          \
        change;                                                                                    \
        plan = (ct_redistribute *)&desc;                                                           \
        assert_int_equal(ct_redistribute_create(&desc, rank, &plan, message), wanted);             \
        assert_null(plan);                                                                         \
        assert_string_equal(message, says);                                                        \
        if ((rank) == 0) {                                                                         \
            ct_redistribute_info info;                                                             \
            assert_int_equal(ct_redistribute_simulate(&desc, &info, message), wanted);             \
        }                                                                                          \
    } while (0)
    REFUSES(, 4, CT_E_ARGUMENT, "there is no rank 4; the meshes have 4");
    REFUSES(, -1, CT_E_ARGUMENT, "there is no rank -1; the meshes have 4");
    REFUSES(desc.src.type = 99, 0, CT_E_ARGUMENT, "source: there is no element type 99");
    REFUSES(desc.src.elem_bytes = 2, 0, CT_E_ARGUMENT,
            "source: elements of 2 bytes, but its type has 4");
    REFUSES(desc.src.type = CT_TYPE_RAW, 0, CT_E_ARGUMENT,
            "source: elements of 0 bytes; they have 1 to 16");
    REFUSES((desc.src.type = CT_TYPE_RAW, desc.src.elem_bytes = 4), 0, CT_E_ARGUMENT,
            "raw elements are only moved: both sides have the same bytes, and no scale");
    REFUSES(desc.backend = 77, 0, CT_E_ARGUMENT, "there is no backend 77, or nothing carries by 0");
    REFUSES(
        desc.backend = CT_BACKEND_GRID, 0, CT_E_ARGUMENT,
        "the grid may move memory while a kernel runs, and other ranks write it then: the backend "
        "is cpu or cuda");
    REFUSES(desc.carry = 77, 0, CT_E_ARGUMENT, "there is no backend 0, or nothing carries by 77");
    REFUSES(
        desc.chunk_bytes = 100, 0, CT_E_ARGUMENT,
        "chunks of 100 bytes in 67108864 bytes of scratch; a chunk has 4096 at least, and scratch "
        "room for 4");
    REFUSES((desc.chunk_bytes = 1 << 20, desc.scratch_bytes = 3 << 20), 0, CT_E_ARGUMENT,
            "chunks of 1048576 bytes in 3145728 bytes of scratch; a chunk has 4096 at least, and "
            "scratch room for 4");
    REFUSES(desc.limit_seconds = -1, 0, CT_E_ARGUMENT, "a limit of -1 seconds; it is more than 0");
    REFUSES(desc.dst.layout.shape[1] = 17, 0, CT_E_ARGUMENT,
            "destination: mode 1: the leaves cover 16 of its 17 coordinates");
    REFUSES(desc.dst.layout.shape[1] = 15, 0, CT_E_ARGUMENT,
            "mode 1 has 16 coordinates in the source, and 15 in the destination");
    REFUSES(desc.src.layout.memory = 9, 0, CT_E_ARGUMENT, "source: there is no order of memory 9");
    const ct_redistribute_desc line = desc_of(ct_tuple1(12), ct_tuple1(4), "shard:0", "shard:0");
    REFUSES(desc.dst.layout = line.dst.layout, 0, CT_E_ARGUMENT,
            "the source has 2 modes, and the destination 1");
    const ct_tuple large = ct_tuple2(100000000, 1000000000);
    const ct_redistribute_desc copies = desc_of(large, ct_tuple1(32), "shard:0", "replicate");
    REFUSES(desc = copies, 0, CT_E_OVERFLOW, "32 ranks send more bytes in all than fit in 64 bits");
    REFUSES(desc = desc_of(large, ct_tuple1(64), "shard:0", "replicate"), 0, CT_E_OVERFLOW,
            "64 ranks send more bytes in all than fit in 64 bits");
    REFUSES((desc = copies, desc.src.type = desc.dst.type = CT_TYPE_RAW,
             desc.src.elem_bytes = desc.dst.elem_bytes = 3),
            0, CT_E_OVERFLOW, "32 ranks send more bytes in all than fit in 64 bits");
    REFUSES(desc = desc_of(ct_tuple1((int64_t)1 << 44), ct_tuple1(2), "cyclic:0:2097151",
                           "cyclic:0:2097152"),
            1, CT_E_CAPACITY,
            "two ranks share a set of more than 1048576 layouts, or of more than 16 leaves");
    REFUSES(desc = desc_of(ct_tuple3(30000, 30000, 30000), ct_tuple3(2, 2, 2),
                           "cyclic:0:127,cyclic:1:127,cyclic:2:127",
                           "cyclic:0:128,cyclic:1:128,cyclic:2:128"),
            1, CT_E_CAPACITY,
            "rank 1 sends rank 0 a set of 1048577 layouts of up to 5 leaves; up to 1048576 of 16 "
            "leaves are possible");
    REFUSES(desc = desc_of(large, ct_tuple2(30, 3), "replicate,shard:0", "replicate,replicate"), 0,
            CT_E_OVERFLOW, "90 ranks send more bytes in all than fit in 64 bits");
}

/* The most bytes that fit: 23 copies of 10^17 elements of 4 bytes, and none of what 90 ranks keep. */
TEST(test_large)
{
    const ct_tuple large = ct_tuple2(100000000, 1000000000);
    char message[CT_MESSAGE_BYTES];
    ct_redistribute_info info;
    ct_redistribute_desc desc = desc_of(large, ct_tuple1(23), "shard:0", "replicate");
    if (ct_redistribute_simulate(&desc, &info, message)) fail_msg("%s", message);
    assert_int_equal(info.all_bytes, 22 * 400000000000000000);
    desc = desc_of(large, ct_tuple1(90), "replicate", "replicate");
    if (ct_redistribute_simulate(&desc, &info, message)) fail_msg("%s", message);
    assert_int_equal(info.all_bytes, 0);
    assert_int_equal(info.most_sent, 0);
}

/* Bytes, messages and rounds of many ranks. The bytes are those of owners counted row by row. */
TEST(test_many_ranks)
{
    static const struct {
        int64_t ranks, rows;
        const char *from, *to;
        int64_t messages, rounds, bytes;
    } rows[] = {
        {8, 1 << 14, "shard:0", "shard:1", 56, 7, 939524096},
        {8, 16383, "shard:0", "cyclic:0:64", 56, 7, 939524096},
        {64, 1 << 14, "shard:0", "shard:1", 64 * 63, 63, 1056964608},
        {4096, 1 << 14, "shard:0", "shard:1", 4096LL * 4095, 4095, 1073479680},
        {4096, 1 << 24, "shard:0", "cyclic:0:1", 4096LL * 4095, 4095, 1099243192320},
        {4096, 1 << 14, "shard:0", "replicate", 4096LL * 4095, 4095, 4396972769280},
        {4096, 1 << 14, "shard:0", "shard:0", 0, 0, 0},
        {4096, 1000000, "shard:0", "cyclic:0:3", 335973, 84, 65520009216},
        {4096, 1000000, "cyclic:0:5", "cyclic:0:3", 28664, 7, 65518960640},
    };
    static const struct {
        int64_t ranks, mesh0;
        const char *from, *to;
        int64_t messages, rounds, bytes;
    } meshes[] = {
        {4096, 64, "shard:0,shard:1", "shard:1,shard:0", 4096 - 64, 1, 16911433728},
        {4096, 64, "replicate,shard:0", "replicate,shard:1", 4096LL * 63, 63, 1082331758592},
        {65536, 256, "shard:0,shard:1", "shard:0,replicate", 65536LL * 255, 256, 4380866641920},
        {65536, 1, "shard:0,shard:0", "shard:1,shard:1", 65536LL * 65535, 65535, 17179607040},
    };
    char message[CT_MESSAGE_BYTES];
    ct_redistribute_info info;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const ct_redistribute_desc desc = desc_of(
            ct_tuple2(rows[i].rows, 1 << 14), ct_tuple1(rows[i].ranks), rows[i].from, rows[i].to);
        ct_redistribute *plan;
        if (ct_redistribute_create(&desc, rows[i].ranks / 3, &plan, message))
            fail_msg("%s", message);
        ct_redistribute_info_of(plan, &info);
        assert_int_equal(info.all_messages, rows[i].messages);
        assert_int_equal(info.rounds, rows[i].rounds);
        assert_int_equal(info.rounds, info.least_rounds);
        assert_int_equal(info.all_bytes, rows[i].bytes);
        assert_int_equal(info.least_bytes, rows[i].bytes);
        ct_redistribute_destroy(plan);
    }
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; ++i) {
        const ct_redistribute_desc desc =
            desc_of(ct_tuple2(1 << 16, 1 << 16),
                    ct_tuple2(meshes[i].mesh0, meshes[i].ranks / meshes[i].mesh0), meshes[i].from,
                    meshes[i].to);
        if (ct_redistribute_simulate(&desc, &info, message)) fail_msg("%s", message);
        assert_int_equal(info.all_messages, meshes[i].messages);
        assert_int_equal(info.rounds, meshes[i].rounds);
        assert_int_equal(info.all_bytes, meshes[i].bytes);
        assert_int_equal(info.least_bytes, meshes[i].bytes);
    }
}

/* Few of many ranks have elements: the others count neither for rounds nor for memory. */
TEST(test_idle_ranks)
{
    static const struct {
        int64_t ranks, rows, columns;
        const char *from, *to;
        int64_t messages, rounds;
    } rows[] = {
        {65536, 70, 70, "shard:0", "shard:1", 70 * 69, 69},
        {1 << 20, 10, 12, "shard:0", "shard:1", 110, 11},
        {1 << 17, 90000, 2, "shard:0", "(131072,(300,2)):(300@0,(1@0,1@1))", 90000 - 1, 300},
    };
    char message[CT_MESSAGE_BYTES];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ct_redistribute_info info;
        const ct_redistribute_desc desc =
            desc_of(ct_tuple2(rows[i].rows, rows[i].columns), ct_tuple1(rows[i].ranks),
                    rows[i].from, rows[i].to);
        if (ct_redistribute_simulate(&desc, &info, message)) fail_msg("%s", message);
        assert_int_equal(info.all_messages, rows[i].messages);
        assert_int_equal(info.least_rounds, rows[i].rounds);
        assert_int_equal(info.rounds, rows[i].rounds);
    }
}

/* The most that a rank sends, where 15 hold the same: the numbers of all ranks against plans of these. */
TEST(test_most_sent)
{
    const ct_redistribute_desc desc = desc_of(ct_tuple2(125000, 100), ct_tuple2(15, 2048),
                                              "replicate,shard:0", "shard:0,shard:0");
    char message[CT_MESSAGE_BYTES];
    ct_redistribute_info info, own;
    int64_t most = 0;
    if (ct_redistribute_simulate(&desc, &info, message)) fail_msg("%s", message);
    assert_in_range(info.all_messages, 20000, 1 << 19);
    for (int64_t r = 0; r < info.ranks; r += 2048) {
        ct_redistribute *plan;
        if (ct_redistribute_create(&desc, r, &plan, message)) fail_msg("%s", message);
        ct_redistribute_info_of(plan, &own);
        most = ct_max(most, own.bytes_sent);
        ct_redistribute_destroy(plan);
    }
    assert_int_equal(most, 2000);
    assert_int_equal(info.most_sent, most);
}

/* Rounds of many messages, by positions: pairs of ranks are tried one by one. */
TEST(test_positions)
{
    const ct_redistribute_desc desc = desc_of(ct_tuple2(1 << 11, 1 << 11), ct_tuple2(4, 1024),
                                              "shard:0,shard:1", "shard:0,shard:0");
    char message[CT_MESSAGE_BYTES];
    ct_redistribute_info info;
    assert_int_equal(ct_redistribute_simulate(&desc, &info, message), CT_OK);
    const size_t words = (size_t)(info.ranks * info.rounds);
    unsigned char *const sends = calloc(words, 1), *const receives = calloc(words, 1);
    assert_true(info.rounds < info.ranks - 1);
    for (int64_t r = 0; r < info.ranks; r += 31) {
        ct_redistribute *plan;
        const ct_transfer *list;
        assert_int_equal(ct_redistribute_create(&desc, r, &plan, message), CT_OK);
        const int32_t count = ct_redistribute_transfers(plan, &list);
        for (int32_t t = 0; t < count; ++t) {
            if (list[t].round < 0) continue;
            assert_in_range(list[t].round, 0, info.rounds - 1);
            unsigned char *const place =
                (list[t].from == r ? sends : receives) + r * info.rounds + list[t].round;
            assert_int_equal(*place, 0);
            *place = 1;
        }
        ct_redistribute_destroy(plan);
    }
    free(sends);
    free(receives);
}

TEST(test_describe)
{
    const ct_redistribute_desc desc = desc_of(ct_tuple2(4, 6), ct_tuple1(2), "shard:0", "shard:1");
    char message[CT_MESSAGE_BYTES], text[2048];
    ct_redistribute *plan;
    assert_int_equal(ct_redistribute_create(&desc, 0, &plan, message), CT_OK);
    const int length = ct_redistribute_describe(plan, 1e9, text, sizeof text);
    assert_int_equal(length, (int)strlen(text));
    assert_string_equal(
        text,
        "2 ranks: 48 bytes in 2 messages; the least is 48 bytes\nrounds: 1; a rank has up to 1 "
        "message to send or to receive\ntime: at least 0.024 us, by the rank that has most to send "
        "or receive (24 bytes) over a link of 1 GB/s each way\nrank 0 keeps 6, sends 6 and "
        "receives 6 elements\n  stays      6 elements: 0@(3,2):(1,6) to 0@(3,2):(1,3)\n  round 0   "
        " 0 -> 1  6 elements: 3@(3,2):(1,6) to 0@(3,2):(1,3)\n  round 0    1 -> 0  6 elements: "
        "0@(3,2):(1,6) to 6@(3,2):(1,3)\n");
    ct_redistribute_destroy(plan);
    ct_redistribute_destroy(NULL);
}

GROUP("redistribute", NULL, NULL)

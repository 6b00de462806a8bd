/* Sharded layouts: their text, their checks, and where a rank holds what, against enumeration. */
#include "test.h"

#include <cutlet/host/text.h>
#include "sharded_oracle.h"

static ct_tuple tuple_of(const char *text)
{
    ct_tuple t = CT_ZERO;
    if (*text) assert_int_equal(ct_parse_tuple(text, &t, NULL), CT_OK);
    return t;
}

/* Named forms, and the layouts that they are. */
TEST(test_forms)
{
    static const struct {
        const char *shape, *mesh, *text, *layout;
    } rows[] = {
        {"(10,8)", "(4)", "shard:0", "(4,(3,8)):(3@0,(1@0,1@1))/c"},
        {"(10,8)", "(4)", "shard:1", "(4,(10,2)):(2@1,(1@0,1@1))/c"},
        {"(10,8)", "(4)", "replicate", "(4,(10,8)):(0,(1@0,1@1))/c"},
        {"(16,8)", "(2,4)", "shard:0,shard:1", "((4,2),(8,2)):((2@1,8@0),(1@0,1@1))/c"},
        {"(16,8)", "(2,4)", "shard:0,replicate", "((4,2),(8,8)):((0,8@0),(1@0,1@1))/c"},
        {"(16,8)", "(2,4)", "shard:0,shard:0", "((4,2),(2,8)):((2@0,8@0),(1@0,1@1))/c"},
        {"(15,8)", "(2,4)", "shard:0, shard:0", "((4,2),(2,8)):((2@0,8@0),(1@0,1@1))/c"},
        {"(1024,8)", "(4)", "cyclic:0:64", "(4,((64,4),8)):(64@0,((1@0,256@0),1@1))/c"},
        {"(100)", "(4)", "cyclic:0:64/f", "(4,64):(64@0,1@0)/f"},
        {"(10,8)", "(4)", "shard:0/(16,1)", "(4,(3,8)):(3@0,(1@0,1@1))/(16,1)"},
        {"(10,8)", "", "(4,(3,8)):(3@0,(1@0,1@1))", "(4,(3,8)):(3@0,(1@0,1@1))/local"},
        {"(12,8)", "(2,2)", "(4,(3,8)):(3,(1,12))", "(4,(3,8)):(3@0,(1@0,1@1))/local"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ct_sharded s, again;
        char message[CT_MESSAGE_BYTES], text[CT_TEXT_BYTES];
        if (ct_parse_sharded(rows[i].text, tuple_of(rows[i].shape), tuple_of(rows[i].mesh), &s,
                             message))
            fail_msg("%s: %s", rows[i].text, message);
        const int length = ct_format_sharded(text, sizeof text, &s);
        assert_int_equal(length, (int)strlen(text));
        assert_string_equal(text, rows[i].layout);
        assert_int_equal(
            ct_parse_sharded(text, tuple_of(rows[i].shape), ct_tuple0(), &again, message), CT_OK);
        assert_true(ct_layout_equal(s.layout, again.layout) && s.memory == again.memory);
        assert_memory_equal(s.stride, again.stride, sizeof s.stride);
    }
}

TEST(test_refusals)
{
    static const struct {
        const char *shape, *mesh, *text;
        ct_status status;
        const char *says;
    } rows[] = {
        {"(10,8)", "(4)", "shard:2", CT_E_TEXT, "shard:2: the tensor has no mode 2; it has 2"},
        {"(10,8)", "(4)", "sharp:0", CT_E_TEXT,
         "`sharp:0` is no form; there are shard:D, cyclic:D:B and replicate"},
        {"(10,8)", "(4)", "cyclic:0:0", CT_E_TEXT,
         "`cyclic:0:0` is no form; there are shard:D, cyclic:D:B and replicate"},
        {"(10,8)", "(4)", "shard:0,shard:1", CT_E_TEXT,
         "more forms than modes of the mesh, which has 1; each has one"},
        {"(10,8)", "(2,2)", "shard:0", CT_E_TEXT,
         "1 form for the 2 modes of the mesh; each has one"},
        {"(10,8)", "(2,2)", "shard:0,cyclic:0:4", CT_E_TEXT,
         "mode 0 is cyclic and cut by another form too; write it as a layout"},
        {"(10,8)", "", "shard:0", CT_E_TEXT, "`shard:0` needs a mesh, as (8) or (2,4)"},
        {"(10,8)", "(4)", "shard:0/g", CT_E_TEXT,
         "`/g` says nothing about memory; there are /c, /f, /local, and 2 strides, as /(64,1)"},
        {"(10,8)", "(4)", "shard:0/(4,1)", CT_E_ARGUMENT,
         "mode 0 has stride 4 in memory, and those of smaller strides reach to 7: two elements "
         "would lie at one offset"},
        {"(10,8)", "(5)", "(4,(3,8)):(3@0,(1@0,1@1))", CT_E_TEXT,
         "the layout has 4 ranks, and the mesh 5"},
        {"(10,8)", "", "(4,(2,8)):(2@0,(1@0,1@1))", CT_E_ARGUMENT,
         "mode 0: the leaves cover 8 of its 10 coordinates"},
        {"(10,8)", "", "(4,(3,8)):(4@0,(1@0,1@1))", CT_E_ARGUMENT,
         "mode 0: stride 4 follows leaves that cover 3 coordinates; those between would be held "
         "nowhere"},
        {"(10,8)", "", "(4,(3,8)):(2@0,(1@0,1@1))", CT_E_ARGUMENT,
         "mode 0: stride 2 follows leaves that cover 3 coordinates; elements would be held twice"},
        {"(10,8)", "", "(4,(3,8,2)):(3@0,(1@0,1@1,0))", CT_E_ARGUMENT,
         "local leaf 3 has stride 0: a rank would hold elements 2 times"},
        {"(10,8)", "", "(4,(3,8)):(3@0,(1@0,1@2))", CT_E_ARGUMENT,
         "leaf 2 steps along a mode that is not there; the tensor has 2 modes"},
        {"(10,8)", "", "(4,(3,8)):(-3@0,(1@0,1@1))", CT_E_ARGUMENT,
         "leaf 0 has the stride -3; it is positive"},
        {"(10,8)", "", "(4,3,8):(3@0,1@0,1@1)", CT_E_ARGUMENT,
         "a sharded layout has two modes, the mesh and what is local; this has 3"},
        {"(10,8)", "(2000000)", "shard:0", CT_E_ARGUMENT,
         "mode 0 of the mesh: 2000000; it has 1 to 1048576 ranks"},
        {"(10,8)", "(2000,2000)", "shard:0,shard:1", CT_E_ARGUMENT,
         "4000000 ranks; a mesh has up to 1048576"},
        {"(10,8)", "", "(2097152,(1,8)):(1@0,(1@0,1@1))", CT_E_ARGUMENT,
         "2097152 ranks; a mesh has up to 1048576"},
        {"(10)", "", "(4,288230376151711744):(0,1@0)", CT_E_OVERFLOW,
         "a mode of the layout has more than 2^57 - 1 coordinates"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ct_sharded s;
        char message[CT_MESSAGE_BYTES] = "";
        const ct_status bad = ct_parse_sharded(rows[i].text, tuple_of(rows[i].shape),
                                               tuple_of(rows[i].mesh), &s, message);
        if (bad != rows[i].status || strcmp(message, rows[i].says))
            fail_msg("%s: %d, %s", rows[i].text, bad, message);
    }
    ct_sharded s = {0};
    char message[CT_MESSAGE_BYTES];
    assert_int_equal(ct_sharded_check(&s, message), CT_E_ARGUMENT);
    assert_string_equal(message, "a tensor of 0 modes; it has 1 to 8");
    assert_int_equal(ct_parse_sharded("(64,144115188075855871):(144115188075855871@0,1@0)",
                                      ct_tuple1(10), ct_tuple0(), &s, message),
                     CT_OK);
    s.layout.shape[0] = 65; /* 64 leave 63 bits full */
    assert_int_equal(ct_sharded_check(&s, message), CT_E_OVERFLOW);
    assert_string_equal(message, "mode 0: the leaves overflow 64 bits");
    s = (ct_sharded){.modes = 2, .shape = {8, 4}, .layout = ct_layout2(4, 8, 8, 1)};
    assert_int_equal(ct_sharded_check(&s, message), CT_E_ARGUMENT);
    assert_string_equal(message,
                        "leaf 0 has the stride 8, which names no mode of the tensor; write "
                        "8@D for a step along mode D");
    assert_int_equal(ct_parse_sharded("shard:0", ct_tuple0(), ct_tuple1(4), &s, message),
                     CT_E_ARGUMENT);
}

/* Every element of a rank lies where enumeration finds it; no other one is there. */
static void check_rank(const ct_sharded *s, int64_t rank, const char *text)
{
    held_element *e;
    const int64_t count = held_by(s, rank, &e), size = tensor_size(s);
    int64_t *const where = malloc((size_t)size * sizeof *where), span = 0;
    for (int64_t i = 0; i < size; ++i) where[i] = -1;
    for (int64_t i = 0; i < count; ++i) {
        where[e[i].element] = e[i].offset;
        if (e[i].offset >= span) span = e[i].offset + 1;
    }
    if (ct_sharded_elems(s, rank) != count || ct_sharded_span(s, rank) != span)
        fail_msg("%s, rank %lld: %lld elements in %lld, not %lld in %lld", text, (long long)rank,
                 (long long)ct_sharded_elems(s, rank), (long long)ct_sharded_span(s, rank),
                 (long long)count, (long long)span);
    for (int64_t i = 0; i < size; ++i) {
        int64_t coord[CT_SHARDED_MODES] = {0}, rest = i;
        for (int d = 0; d < s->modes; ++d) coord[d] = rest % s->shape[d], rest /= s->shape[d];
        const int64_t at = ct_sharded_offset(s, rank, coord);
        if (at != where[i])
            fail_msg("%s, rank %lld, element %lld: %lld, not %lld", text, (long long)rank,
                     (long long)i, (long long)at, (long long)where[i]);
    }
    free(where);
    free(e);
}

TEST(test_random)
{
    const char *const asked = getenv("CUTLET_SEED");
    const uint64_t seed = asked ? strtoull(asked, NULL, 10) : 1;
    print_message("# seed %llu\n", (unsigned long long)seed);
    for (int number = 0; number < 400; ++number) {
        dice d = dice_of_case(seed, (uint64_t)number);
        int64_t shape[CT_SHARDED_MODES];
        char text[1024], again[CT_TEXT_BYTES], message[CT_MESSAGE_BYTES];
        const int modes = random_shape(&d, 600, shape);
        const ct_sharded s = any_sharded(&d, shape, modes, dice_int(&d, 1, 16), text);
        ct_sharded read = s;
        for (int64_t rank = 0; rank <= ct_sharded_ranks(&s); ++rank) check_rank(&s, rank, text);
        ct_format_sharded(again, sizeof again, &s);
        ct_tuple extents = CT_ZERO;
        extents.profile = ct_profile_flat(modes);
        memcpy(extents.value, shape, sizeof shape);
        assert_int_equal(ct_parse_sharded(again, extents, ct_tuple0(), &read, message), CT_OK);
        assert_true(ct_layout_equal(read.layout, s.layout) && read.memory == s.memory);
    }
}

TEST(test_extents)
{
    ct_sharded s;
    int64_t extent[CT_SHARDED_MODES];
    char message[CT_MESSAGE_BYTES];
    assert_int_equal(
        ct_parse_sharded("shard:0,replicate", ct_tuple2(10, 8), ct_tuple2(4, 3), &s, message),
        CT_OK);
    assert_int_equal(ct_sharded_ranks(&s), 12);
    assert_int_equal(ct_sharded_holders(&s), 3);
    static const int64_t rows[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 1, 1, 1, 0};
    for (int64_t rank = 0; rank < 13; ++rank) {
        ct_sharded_extents(&s, rank, extent);
        assert_int_equal(extent[0], rows[rank]);
        assert_int_equal(extent[1], rows[rank] ? 8 : 0);
    }
}

GROUP("sharded", NULL, NULL)

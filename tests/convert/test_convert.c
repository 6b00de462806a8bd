/* Layouts of other systems: what reads as what, what is refused and why, and that the way there and
 * back is the same function. tests/convert/against_*.py hold them against those systems. */
#include "test.h"

#include <cutlet/host/convert.h>
#include <cutlet/host/eval.h>
#include <cutlet/host/testing.h>
#include <cutlet/host/text.h>

#include "table.h"

enum {
    NOTATION = CT_SYSTEM_CUTLET,
    CUTE = CT_SYSTEM_CUTE,
    BLOCKED = CT_SYSTEM_TRITON_BLOCKED,
    LINEAR = CT_SYSTEM_TRITON_LINEAR,
    SWIZZLED = CT_SYSTEM_TRITON_SWIZZLED,
    NVMMA = CT_SYSTEM_TRITON_NVMMA
};

/* A conversion: its result, or `! ` and the kind and the whole sentence of the failure. */
typedef struct row {
    const char *text;
    int to;
    const char *shape; /* "8x16", or "" */
    int bits;
    const char *result;
} row;

static row rows[512];
static size_t row_count;

static int read_rows(void **state)
{
    char *at = table_text("tests/convert/conversions.txt"), *cell[5];
    for (*state = at; table_row(&at, cell, 5); ++row_count) {
        assert_in_range(row_count, 0, sizeof rows / sizeof *rows - 1);
        row *const r = &rows[row_count];
        *r = (row){cell[3], CT_SYSTEM_CUTLET, cell[1], atoi(cell[2]), cell[4]};
        while (strcmp(ct_system_name(r->to, NULL), cell[0]) != 0) ++r->to;
    }
    return 0;
}

static int free_rows(void **state)
{
    free(*state);
    return 0;
}

static int is_failure(const row *r) { return r->result[0] == '!'; }

static ct_convert_options options_of(const row *r)
{
    ct_convert_options o;
    memset(&o, 0, sizeof o);
    o.to = r->to;
    o.element_bits = r->bits;
    for (const char *c = r->shape; *c; ++o.rank) {
        int used = 0;
        assert_int_equal(sscanf(c, "%lld%n", (long long *)&o.shape[o.rank], &used), 1);
        c += used + (c[used] == 'x');
    }
    return o;
}

TEST(test_rows)
{
    int wrong = 0;
    for (size_t i = 0; i < row_count; ++i) {
        const ct_convert_options o = options_of(&rows[i]);
        char out[CT_CONVERT_BYTES], failure[CT_CONVERT_BYTES];
        ct_diag diag;
        const ct_status status = ct_convert_layout(rows[i].text, &o, out, &diag);
        snprintf(failure, sizeof failure, "! %s: %s", ct_status_name(status), diag.message);
        const char *const got = status ? failure : out;
        if (strcmp(got, rows[i].result) == 0) continue;
        ++wrong;
        print_message("%s to %s:\n  got    %s\n  wanted %s\n", rows[i].text,
                      ct_system_name(rows[i].to, NULL), got, rows[i].result);
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(row_count, 394);
}

/* Encodings in shared memory have no shape: it is that of the layout in the notation. */
static void fill_shape(ct_convert_options *o, const char *layout, int system)
{
    ct_value v;
    if (o->rank > 0 || (system != SWIZZLED && system != NVMMA) || layout[0] == '#') return;
    assert_int_equal(ct_parse_value(layout, &v, NULL), 0);
    const ct_layout L = v.kind == CT_KIND_TENSOR ? v.as.tensor.layout : v.as.layout;
    o->rank = ct_layout_rank(L);
    for (int d = 0; d < o->rank; ++d)
        o->shape[d] = o->rank == 1 ? ct_size(L) : ct_size(ct_mode(L, d));
}

/* What is converted is converted back to the same function, which the notation has in between. */
TEST(test_back)
{
    int back = 0;
    for (size_t i = 0; i < row_count; ++i) {
        ct_convert_options o = options_of(&rows[i]);
        ct_diag diag;
        int same = 0;
        if (is_failure(&rows[i])) continue;
        fill_shape(&o, rows[i].text, rows[i].to);
        if (ct_same_layout(rows[i].text, rows[i].result, &o, &same, NULL, &diag))
            fail_msg("%s and %s: %s", rows[i].text, rows[i].result, diag.message);
        if (!same) fail_msg("%s is not %s: %s", rows[i].text, rows[i].result, diag.message);
        ++back;
    }
    assert_true(back > 60);
}

/* All systems that can say the offsets of a layout say the same ones. */
TEST(test_all_to_all)
{
    static const char *const layouts[] = {
        "(4,8):(8,1)",          "(4,8):(1,4)",
        "(8,4):(4,1)",          "16:1",
        "(2,4,8):(32,8,1)",     "(2,4,8):(1,2,8)",
        "((2,4),8):((8,16),1)", "(4,8):(16,1)",
        "(4,8):(1,6)",          "Sw<2,1,3> o 0 o (8,16):(16,1)",
        "(3,5):(7,1)",          "((2,2),(4,2)):((1,8),(2,16))",
        "(1,8):(0,1)",          "Sw<3,3,3> o 0 o (64,64):(64,1)",
    };
    int done[CT_SYSTEM_COUNT] = {0};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; ++i) {
        for (int to = CT_SYSTEM_CUTLET; to < CT_SYSTEM_COUNT; ++to) {
            char text[CT_CONVERT_BYTES], back[CT_CONVERT_BYTES];
            ct_convert_options o;
            ct_diag diag;
            ct_value a, b;
            memset(&o, 0, sizeof o);
            o.to = to;
            o.element_bits = 16;
            if (to == CT_SYSTEM_TRITON || to == BLOCKED || to == LINEAR) continue;
            if (ct_convert_layout(layouts[i], &o, text, &diag)) continue;
            ++done[to];
            o.to = NOTATION;
            o.from = to;
            fill_shape(&o, layouts[i], to);
            if (ct_convert_layout(text, &o, back, &diag)) fail_msg("%s: %s", text, diag.message);
            assert_int_equal(ct_parse_value(layouts[i], &a, NULL), 0);
            assert_int_equal(ct_parse_value(back, &b, NULL), 0);
            int64_t at;
            if (ct_value_same_function(&a, &b, &at) != 1)
                fail_msg("%s by %s is %s, which differs at %lld", layouts[i], text, back,
                         (long long)at);
        }
    }
    for (int to = CT_SYSTEM_CUTLET; to < CT_SYSTEM_COUNT; ++to) {
        if (to == CT_SYSTEM_TRITON || to == BLOCKED || to == LINEAR) continue;
        if (done[to] < 3) fail_msg("%s: %d layouts", ct_system_name(to, NULL), done[to]);
    }
}

/* Two texts of any systems. */
TEST(test_same)
{
    int wrong = 0, count = 0;
    char *const text = table_text("tests/convert/comparisons.txt"), *at = text, *cell[4];
    for (; table_row(&at, cell, 4); ++count) {
        const ct_convert_options o = options_of(&(row){.shape = cell[0], .bits = 16});
        int same = 0, failed = 7;
        ct_diag diag;
        char got[CT_CONVERT_BYTES];
        const ct_status status = ct_same_layout(cell[1], cell[2], &o, &same, &failed, &diag);
        if (status)
            snprintf(got, sizeof got, "! %d: %s: %s", failed, ct_status_name(status), diag.message);
        else snprintf(got, sizeof got, "%s%s", same ? "same" : "differ: ", diag.message);
        if (strcmp(got, cell[3]) == 0 && !(status && same)) continue;
        ++wrong;
        print_message("%s and %s:\n  got    %s\n  wanted %s\n", cell[1], cell[2], got, cell[3]);
    }
    free(text);
    assert_int_equal(wrong, 0);
    assert_int_equal(count, 24);
}

/* Any part of a text is refused or read, without a fault; so is a text with one byte changed. */
TEST(test_parts)
{
    char text[1024], out[CT_CONVERT_BYTES];
    ct_diag diag;
    for (size_t i = 0; i < row_count; ++i) {
        const size_t n = strlen(rows[i].text);
        ct_convert_options o = options_of(&rows[i]);
        if (n >= sizeof text) continue;
        for (size_t k = 0; k < n; ++k) {
            static const char bytes[] = "<>(){}[],:0-9x_#";
            memcpy(text, rows[i].text, n + 1);
            text[k] = '\0';
            ct_convert_layout(text, &o, out, &diag);
            memcpy(text, rows[i].text, n + 1);
            text[k] = bytes[(i + k) % (sizeof bytes - 1)];
            if (ct_convert_layout(text, &o, out, &diag) == CT_OK) continue;
            assert_true(diag.message[0] && strchr(diag.message, '\n') == NULL);
            if (diag.at > n || diag.length < 1)
                fail_msg("%s: %s at %zu", text, diag.message, diag.at);
        }
    }
}

/* Options that fit no system. */
TEST(test_options)
{
    char out[CT_CONVERT_BYTES];
    ct_diag diag;
    ct_convert_options o;
    memset(&o, 0, sizeof o);
    assert_int_equal(ct_convert_layout("4:1", &o, out, &diag), CT_E_ARGUMENT);
    assert_string_equal(diag.message, "there is no system 0 to write");
    o.to = CT_SYSTEM_TRITON;
    assert_int_equal(ct_convert_layout("4:1", &o, out, NULL), CT_E_ARGUMENT);
    o.to = CUTE;
    o.rank = 1;
    o.shape[0] = 12;
    assert_int_equal(ct_convert_layout("4:1", &o, out, &diag), CT_E_ARGUMENT);
    assert_string_equal(diag.message,
                        "dimension 0 of the shape is 12: those of Triton are powers of two");
    o.rank = 9;
    o.shape[0] = 8;
    assert_int_equal(ct_convert_layout("4:1", &o, out, &diag), CT_E_ARGUMENT);
    assert_null(ct_system_name(CT_SYSTEM_ANY, NULL));
    assert_null(ct_system_name(CT_SYSTEM_COUNT, NULL));
    const char *what = NULL;
    assert_string_equal(ct_system_name(CT_SYSTEM_NUMPY, &what), "numpy");
    assert_non_null(what);
}

/* The example of convert.h. */
TEST(test_example)
{
    char text[CT_CONVERT_BYTES];
    ct_diag diag;
    ct_convert_options options = {0};
    options.to = CT_SYSTEM_CUTE;
    assert_int_equal(ct_convert_layout("(4,8):(8,1)", &options, text, &diag), CT_OK);
    assert_string_equal(text, "Layout<Shape<_4,_8>,Stride<_8,_1>>");
}

GROUP("convert", read_rows, free_rows)

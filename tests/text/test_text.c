/* The notation: what is written reads back as the same, and what cannot be read is refused in one
 * line at the right place; every error has its sentence. */
#include "test.h"

#include <cutlet/cutlet.h>
#include <cutlet/host/eval.h>
#include <cutlet/host/text.h>
#include <cutlet/host/testing.h>

#include "dice.h"

/* What reads as what. Text that is printed reads back as itself. */
static const struct {
    const char *text, *printed;
    int kind;
} texts[] = {
    {"5", "5", CT_KIND_TUPLE},
    {"-5", "-5", CT_KIND_TUPLE},
    {"_4", "4", CT_KIND_TUPLE},
    {"_-4", "-4", CT_KIND_TUPLE},
    {"_", "_", CT_KIND_TUPLE},
    {"9223372036854775807", "9223372036854775807", CT_KIND_TUPLE},
    {"-9223372036854775807", "-9223372036854775807", CT_KIND_TUPLE},
    {"()", "()", CT_KIND_TUPLE},
    {"(5)", "(5)", CT_KIND_TUPLE},
    {"((5))", "((5))", CT_KIND_TUPLE},
    {"(2,(3,(4,5)),(6))", "(2,(3,(4,5)),(6))", CT_KIND_TUPLE},
    {" ( 2 , ( 3 , _4 ) ) ", "(2,(3,4))", CT_KIND_TUPLE},
    {"(_,3,(_,_))", "(_,3,(_,_))", CT_KIND_TUPLE},
    {"3@0", "3@0", CT_KIND_TUPLE},
    {"-3@0", "-3@0", CT_KIND_TUPLE},
    {"1@1@0", "1@1@0", CT_KIND_TUPLE},
    {"1@0 + 2@1", "1@0+2@1", CT_KIND_TUPLE},
    {"(4,8):(1@0,1@0+1@1)", "(4,8):(1@0,1@0+1@1)", CT_KIND_LAYOUT},
    {"8:-3@2+1@1@0+2@1", "8:1@1@0+2@1+-3@2", CT_KIND_LAYOUT},
    {"8:2@1+-2@0+2@0", "8:2@1", CT_KIND_LAYOUT},
    {"1@3@2@1@0", "1@3@2@1@0", CT_KIND_TUPLE},
    {"(0@253,7@0@1)", "(0@253,7@0@1)", CT_KIND_TUPLE},
    {"4:1", "4:1", CT_KIND_LAYOUT},
    {"(4):(1)", "(4):(1)", CT_KIND_LAYOUT},
    {"((2,4),8):((1,16),2)", "((2,4),8):((1,16),2)", CT_KIND_LAYOUT},
    {"(_4,_8):(_1,-4)", "(4,8):(1,-4)", CT_KIND_LAYOUT},
    {"( 4 , 8 ) : ( 8 , 1 )", "(4,8):(8,1)", CT_KIND_LAYOUT},
    {"(4,(2,3)):(1@0,(1@0@1,1@1@1))", "(4,(2,3)):(1@0,(1@0@1,1@1@1))", CT_KIND_LAYOUT},
    {"():()", "():()", CT_KIND_LAYOUT},
    {"((4,8):(8,1))", "(4,8):(8,1)", CT_KIND_LAYOUT},
    {"(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2):(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1)",
     "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2):(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1)", CT_KIND_LAYOUT},
    {"<4:1,8:2>", "<4:1,8:2>", CT_KIND_TILER},
    {"<4:1>", "<4:1>", CT_KIND_TILER},
    {"<>", "<>", CT_KIND_TILER},
    {"<4,_>", "<4:1,_>", CT_KIND_TILER},
    {"<_,(2,4):(4,1)>", "<_,(2,4):(4,1)>", CT_KIND_TILER},
    {"<(4):(1),((2)):((1))>", "<(4):(1),((2)):((1))>", CT_KIND_TILER},
    {"<4:1,<2:1,3:1>>", "<4:1,<2:1,3:1>>", CT_KIND_TILER},
    {"<4,(2,3)>", "<4:1,<2:1,3:1>>", CT_KIND_TILER},
    {"<<<4:1>>>", "<<<4:1>>>", CT_KIND_TILER},
    {"640@(64,2):(2,1024)", "640@(64,2):(2,1024)", CT_KIND_TENSOR},
    {"4@4:1", "4@4:1", CT_KIND_TENSOR},
    {"-3@(4)", "-3@(4):(1)", CT_KIND_TENSOR},
    {"(1,2)@(8,8):(1@0,1@1)", "(1,2)@(8,8):(1@0,1@1)", CT_KIND_TENSOR},
    {"3@0@4:1", "3@0@4:1", CT_KIND_TENSOR},
    {"Sw<3,4,3>", "Sw<3,4,3>", CT_KIND_SWIZZLE},
    {"Sw < 2 , 0 , -3 >", "Sw<2,0,-3>", CT_KIND_SWIZZLE},
    {"Sw<3,4,3> o 0 o (8,64):(64,1)", "Sw<3,4,3> o 0 o (8,64):(64,1)", CT_KIND_TENSOR},
    {"Sw<3,4,3> o _0 o (_8,_64):(_64,_1)", "Sw<3,4,3> o 0 o (8,64):(64,1)", CT_KIND_TENSOR},
    {"Sw<3,4,3>o 16 o(8,4)", "Sw<3,4,3> o 16 o (8,4):(1,8)", CT_KIND_TENSOR},
    {"(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17)", "(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17)",
     CT_KIND_LIST},
};

/* v as text; the buffer is the function's own. */
static const char *shown(const ct_value *v)
{
    static char text[CT_TEXT_BYTES];
    assert_true(ct_format_value(text, sizeof text, v) < (int)sizeof text);
    return text;
}

TEST(test_texts)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        ct_value v, again;
        ct_diag diag;
        if (ct_parse_value(texts[i].text, &v, &diag))
            fail_msg("%s: %s", texts[i].text, diag.message);
        assert_int_equal(v.kind, texts[i].kind);
        assert_string_equal(shown(&v), texts[i].printed);
        assert_int_equal(ct_parse_value(texts[i].printed, &again, &diag), 0);
        if (!ct_value_equal(&v, &again)) fail_msg("%s does not read back as itself", texts[i].text);
        assert_string_equal(shown(&again), texts[i].printed);
        ct_value_free(&v);
        ct_value_free(&again);
    }
}

/* A layout of random nesting and numbers, each printed and read again. */
static ct_tuple random_stride(ct_tuple shape, dice *d)
{
    for (int i = 0; i < shape.profile.leaves; ++i) {
        shape.value[i] = dice_int(d, -1000, 1000);
        if (dice_int(d, 0, 3) == 0)
            shape.basis[i] = (uint32_t)dice_int(d, 1, 9) |
                             (uint32_t)(dice_int(d, 0, 1) * dice_int(d, 1, 254)) << 8;
    }
    return shape;
}

static ct_tuple random_shape(dice *d)
{
    ct_tuple t = ct_int(dice_int(d, 1, 30));
    const int steps = (int)dice_int(d, 0, 11);
    for (int i = 0; i < steps; ++i) {
        const ct_tuple leaf = ct_int(dice_int(d, 1, 5));
        switch (dice_int(d, 0, 3)) {
            case 0: t = ct_wrap(t); break;
            case 1: t = ct_prepend(t, leaf); break;
            case 2: t = ct_append(leaf, t); break;
            default: t = ct_append(t, leaf); break;
        }
    }
    return t;
}

TEST(test_random_round_trip)
{
    dice d = {88172645463325252u};
    int made = 0;
    for (int i = 0; i < 20000; ++i) {
        const ct_tuple shape = random_shape(&d);
        const ct_layout L = ct_make_layout(shape, random_stride(shape, &d));
        char text[CT_TEXT_BYTES];
        ct_layout again;
        ct_diag diag;
        if (L.err.status) continue;
        ct_format_layout(text, sizeof text, L);
        if (ct_parse_layout(text, &again, &diag)) fail_msg("%s: %s", text, diag.message);
        if (!ct_layout_equal(L, again)) fail_msg("%s", text);
        ++made;
    }
    assert_true(made > 15000);
}

/* What cannot be read: where, and the sentence. */
static const struct {
    const char *text;
    size_t at, length;
    const char *message;
} bad_texts[] = {
    {"", 0, 1, "the text is empty"},
    {"   ", 3, 1, "the text is empty"},
    {"(4,8", 0, 1, "this parenthesis is never closed"},
    {"((4,8):(8,1)", 0, 1, "this parenthesis is never closed"},
    {"<4:1,", 5, 1, "expected an integer, `(`, `<` or `Sw<`, but the text ends"},
    {"<4:1", 0, 1, "this angle bracket is never closed"},
    {"4,8)", 1, 1, "expected the end, but there is `,`"},
    {"(4,8))", 5, 1, "expected the end, but there is `)`"},
    {"(4,8):(8,1) x", 12, 1, "expected the end, but there is `x`"},
    {"(4 8)", 3, 1, "expected `,` or `)`, but there is `8`"},
    {"(4,,8)", 3, 1, "expected an integer, `(`, `<` or `Sw<`, but there is `,`"},
    {"(4,8]", 4, 1, "expected `,` or `)`, but there is `]`"},
    {"4:", 2, 1, "expected an integer, `(`, `<` or `Sw<`, but the text ends"},
    {":1", 0, 1, "expected an integer, `(`, `<` or `Sw<`, but there is `:`"},
    {"-", 0, 1, "expected an integer, but there is `-`"},
    {"layout(4,1)", 0, 6, "expected an integer, `(`, `<` or `Sw<`, but there is `layout`"},
    {"4:1\x01", 3, 1, "expected the end, but there is the byte 0x01"},
    {"\xc3\xa9", 0, 1, "expected an integer, `(`, `<` or `Sw<`, but there is the byte 0xc3"},
    {"9223372036854775808", 0, 19,
     "this integer is out of range: integers are from -9223372036854775807 to 9223372036854775807"},
    {"(4,-99999999999999999999):(1,1)", 3, 21,
     "this integer is out of range: integers are from -9223372036854775807 to 9223372036854775807"},
    {"(4,0):(1,4)", 0, 11, "layout: mode 1 has shape 0; a shape is at least 1"},
    {"(-4,2):(1,4)", 0, 12, "layout: mode 0 has the negative shape -4; a shape is at least 1"},
    {"(4611686018427387904,4):(1,1)", 0, 29,
     "layout: mode 1: the size or an offset does not fit in 64 bits"},
    {"(2,2):(9223372036854775807,1)", 0, 29,
     "layout: mode 1: the size or an offset does not fit in 64 bits"},
    {"(4,8):(1,(4))", 0, 13,
     "layout: shape and stride nest differently at leaf 1; both need the same parentheses"},
    {"(4,8):1", 0, 7,
     "layout: shape and stride nest differently at leaf 0; both need the same parentheses"},
    {"(4,8):(1@0+1,1)", 11, 1, "`+` adds basis elements, as in 1@0+2@1, and not an integer"},
    {"4:3+1@0", 2, 1, "`+` adds basis elements, as in 1@0+2@1, and not an integer"},
    {"4:1@0+(1@1)", 6, 5, "`+` adds basis elements, as in 1@0+2@1, and not a tuple"},
    {"4:1@0+_", 6, 1, "`+` adds basis elements, as in 1@0+2@1, and not `_`"},
    {"4:1@0+", 6, 1, "expected an integer, `(`, `<` or `Sw<`, but the text ends"},
    {"4:1@0 + 1@1+1@2 + 1@3", 2, 19,
     "tuple: leaf 0: the stride is a sum of 4 basis elements, and at most 3 are possible"},
    {"4:1@0+1@1@0", 2, 9,
     "tuple: integer and basis strides, or basis strides of different levels, meet in one operand (leaf 0)"},
    {"2:2147483648@0+1@1", 2, 16,
     "tuple: leaf 0: a sum of basis elements has the number 2147483648, and at most 2147483647 is possible"},
    {"4:1@0+1@15", 2, 8,
     "tuple: leaf 0: a sum of basis elements names another mode than 0 to 14, or more than 2 levels of modes"},
    {"(4,_):(1,4)", 0, 11, "layout: leaf 1 is `_` or a basis element where an integer is needed"},
    {"4:_", 0, 3, "layout: leaf 0 is `_` or a basis element where an integer is needed"},
    {"<4:1,0>", 5, 1, "a tile has shape 0; a shape is at least 1"},
    {"(4:1,8:1)", 1, 3,
     "a tuple holds integers and tuples, not a layout; a tiler is written <4:1,8:2>"},
    {"(4,())", 3, 2, "an empty tuple cannot stand inside another"},
    {"<4,<>>", 3, 2, "an empty tiler cannot stand inside another"},
    {"<4,Sw<1,0,1>>", 3, 9, "a tiler holds layouts, shapes, `_` and tilers, not a swizzle"},
    {"Sw<1,0>", 6, 1, "expected `,`, as in Sw<3,4,3>, but there is `>`"},
    {"Sw", 2, 1, "expected `<`, as in Sw<3,4,3>, but the text ends"},
    {"Sw<3,4,1>", 0, 9,
     "make_swizzle: Sw<3,4,1> is not a swizzle; Sw<bits,base,shift> needs bits and base of at least "
     "0, "
     "|shift| >= bits, and bits + base + |shift| of at most 62"},
    {"Sw<1,0,1> o 0", 13, 1,
     "expected `o` and a layout, as in Sw<3,4,3> o 0 o (8,64):(64,1), but the text ends"},
    {"Sw<1,0,1> o (1,2) o 4", 12, 5, "an integer offset is expected, not a tuple"},
    {"Sw<1,0,1> o 0 o Sw<1,0,1> o 0 o 4:1", 16, 19,
     "behind `o` stands a layout, not a composed layout; composition(Sw<..>, L) swizzles it once "
     "more, linear_images(Sw<..>, L) gives the bits of both"},
    {"Sw<1,0,1> o 0 o <4>", 16, 3, "behind `o` stands a layout, not a tiler"},
    {"4:1:2", 3, 1, "expected the end, but there is `:`"},
    {"<4>:1", 0, 3, "a shape is a tuple, not a tiler"},
    {"4:<1>", 2, 3, "a stride is a tuple, not a tiler"},
    {"4:1@", 3, 1, "expected the end, but there is `@`"},
    {"5@<4>", 2, 3, "behind `@` stands a layout, not a tiler"},
    {"<4>@4", 0, 3, "an offset is an integer or a coordinate, not a tiler"},
    {"1@254", 2, 3, "a basis names modes 0 to 253"},
    {"1@0@0@0@0@0", 10, 1, "a basis names at most 4 levels of modes"},
    {"(4,8):(8,1)(2,3)", 11, 1, "expected the end, but there is `(`"},
    {"((1,1),1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)", 35, 1,
     "more than 16 leaves: a tuple or layout holds at most 16"},
    {"(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,(1,1))", 35, 5,
     "more than 16 leaves: a tuple or layout holds at most 16"},
    {"(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1):1", 0, 35,
     "a shape is a tuple, not a list (more integers than a tuple holds)"},
    {"<1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1>", 33, 1, "more than 16 leaves: a tiler holds at most 16"},
    {"<1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,():()>", 33, 5,
     "an empty layout is not a tile; `_` leaves a mode alone"},
    {"<4:1,():()>", 5, 5, "an empty layout is not a tile; `_` leaves a mode alone"},
};

TEST(test_bad_texts)
{
    for (size_t i = 0; i < sizeof bad_texts / sizeof bad_texts[0]; ++i) {
        ct_value v;
        ct_diag diag;
        memset(&v, 0, sizeof v);
        const ct_status bad = ct_parse_value(bad_texts[i].text, &v, &diag);
        if (bad != (diag.err.status ? diag.err.status : CT_E_TEXT))
            fail_msg("%s: status %d", bad_texts[i].text, bad);
        assert_int_equal(v.kind, CT_KIND_NONE);
        if (strcmp(diag.message, bad_texts[i].message) != 0)
            fail_msg("%s: %s", bad_texts[i].text, diag.message);
        if (diag.at != bad_texts[i].at || diag.length != bad_texts[i].length)
            fail_msg("%s: at %zu, %zu bytes", bad_texts[i].text, diag.at, diag.length);
        assert_int_equal(ct_parse_value(bad_texts[i].text, &v, NULL), bad);
    }
}

TEST(test_too_deep)
{
    char text[2 * 4000 + 8];
    for (int depth = 1; depth < 4000; depth = depth < 100 ? depth + 1 : 2 * depth) {
        ct_tuple t;
        ct_diag diag;
        memset(text, '(', (size_t)depth);
        text[depth] = '1';
        memset(text + depth + 1, ')', (size_t)depth);
        text[2 * depth + 1] = '\0';
        const ct_status bad = ct_parse_tuple(text, &t, &diag);
        assert_int_equal(bad, depth > CT_TEXT_DEPTH ? CT_E_TEXT : CT_OK);
        if (bad) assert_non_null(strstr(diag.message, "nested too deep"));
        else assert_int_equal(ct_depth(t), depth);
    }
}

/* A value of another kind than the one that is asked for. */
TEST(test_wrong_kinds)
{
    ct_diag diag;
    int64_t n = 7;
    ct_tuple t;
    ct_layout L;
    ct_tiler T;
    ct_tensor x;
    ct_swizzle s;
    assert_int_equal(ct_parse_int("(5)", &n, &diag), CT_E_TEXT);
    assert_string_equal(diag.message, "an integer is expected, not a tuple");
    assert_int_equal(n, 7);
    assert_int_equal(ct_parse_int("3@0", &n, NULL), CT_E_TEXT);
    assert_int_equal(ct_parse_int("12", &n, &diag), 0);
    assert_int_equal(n, 12);
    assert_int_equal(ct_parse_tuple("4:1", &t, &diag), CT_E_TEXT);
    assert_string_equal(diag.message, "a tuple is expected, not a layout");
    assert_int_equal(ct_parse_layout("(2,(3,4))", &L, &diag), 0);
    ct_assert_layout(L, "(2,(3,4)):(1,(2,6))");
    assert_int_equal(ct_parse_layout("(2,0)", &L, &diag), CT_E_ARGUMENT);
    assert_string_equal(diag.message, "layout: mode 1 has shape 0; a shape is at least 1");
    assert_int_equal(diag.err.why, CT_WHY_SHAPE);
    assert_int_equal(ct_parse_layout("<4>", &L, &diag), CT_E_TEXT);
    assert_int_equal(ct_parse_tiler("(4,(2,_))", &T, &diag), 0);
    assert_int_equal(ct_tiler_count(T), 3);
    assert_int_equal(ct_parse_tiler("4:2", &T, &diag), 0);
    assert_int_equal(ct_parse_tiler("Sw<1,0,1>", &T, &diag), CT_E_TEXT);
    assert_int_equal(ct_parse_tiler("(4,0)", &T, &diag), CT_E_ARGUMENT);
    assert_int_equal(ct_parse_tensor("5@4:1", &x, &diag), 0);
    assert_int_equal(ct_parse_tensor("4:1", &x, &diag), CT_E_TEXT);
    assert_string_equal(diag.message,
                        "a tensor, offset@layout or Sw<3,4,3> o 0 o (8,64):(64,1), is "
                        "expected, not a layout");
    assert_int_equal(ct_parse_swizzle("Sw<3,4,3>", &s, &diag), 0);
    assert_int_equal(s.bits * 100 + s.base * 10 + s.shift, 343);
    assert_int_equal(ct_parse_swizzle("3", &s, &diag), CT_E_TEXT);
    assert_string_equal(diag.message, "a swizzle, Sw<3,4,3>, is expected, not an integer");
    assert_int_equal(ct_parse_tensor("Sw<3,4,3> o 2 o 8:1", &x, &diag), 0);
    assert_int_equal(x.offset.value[0], 2);
    assert_int_equal(x.swizzle.base, 4);
    assert_int_equal(ct_parse_tensor("Sw<0,0,0> o 2 o 8:1", &x, &diag), 0); /* none: 2@8:1 */
    assert_int_equal(x.swizzle.bits, 0);
    assert_int_equal(ct_parse_tensor("8", &x, &diag), CT_E_TEXT);
}

/* A buffer of any size holds as much as fits, and nothing after it is touched. */
TEST(test_small_buffers)
{
    ct_layout L;
    char whole[64], part[64];
    assert_int_equal(ct_parse_layout("((2,4),8):((1,16),2)", &L, NULL), 0);
    const int n = ct_format_layout(whole, sizeof whole, L);
    assert_int_equal(n, 20);
    assert_int_equal(ct_format_layout(NULL, 0, L), n);
    for (size_t size = 1; size < 32; ++size) {
        memset(part, 'x', sizeof part);
        assert_int_equal(ct_format_layout(part, size, L), n);
        assert_int_equal(strncmp(part, whole, size - 1), 0);
        assert_int_equal(strlen(part), size - 1 < (size_t)n ? size - 1 : (size_t)n);
        assert_int_equal(part[size], 'x');
    }
}

/* A layout of CT_MAX_LEAVES leaves with the longest numbers fits into CT_TEXT_BYTES. */
TEST(test_longest_text)
{
    ct_tuple shape = ct_int(1), stride = ct_int(-INT64_MAX);
    stride.basis[0] = 0xfefefefe;
    for (int i = 1; i < CT_MAX_LEAVES; ++i) {
        ct_tuple leaf = ct_int(-INT64_MAX);
        leaf.basis[0] = 0xfefefefe;
        shape = ct_append(ct_int(1), shape);
        stride = ct_append(leaf, stride);
    }
    const ct_layout L = ct_make_layout(shape, stride);
    assert_int_equal(L.err.status, CT_OK);
    assert_in_range(ct_format_layout(NULL, 0, L), 500, CT_TEXT_BYTES - 64);
}

GROUP("text", NULL, NULL)

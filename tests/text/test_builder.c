/* Text that is put together piece by piece: one that grows, and the caller's memory. */
#include "test.h"

#include "base/builder.h"

/* Some of each kind of piece, and what they are together. */
static void put_all(ct_builder *b)
{
    ct_put(b, "%s=%d", "x", 12);
    ct_put_char(b, ';');
    ct_put_text(b, "text");
    ct_put_text(b, "");
    ct_put_int(b, INT64_MIN);
    ct_put_repeat(b, '-', 5);
    ct_put_repeat(b, '+', 0);
    ct_put_repeat(b, '+', -1);
    ct_put_bytes(b, "bytes", 3);
    ct_put_int(b, 0);
}

static const char all[] = "x=12;text-9223372036854775808-----byt0";

TEST(grows)
{
    ct_builder b = {0};
    char expected[64 * sizeof all] = "";
    for (int i = 0; i < 50; ++i) {
        put_all(&b);
        strcat(expected, all);
        assert_string_equal(b.text, expected);
    }
    assert_int_equal(b.length, strlen(expected));
    assert_int_equal(ct_builder_end(&b), strlen(expected));
    assert_int_equal(b.failed, 0);
    ct_builder_free(&b);
    assert_null(b.text);
}

/* A piece that is longer than what is formatted in one go. */
TEST(grows_by_long_pieces)
{
    char longer[1000];
    ct_builder b = {0};
    memset(longer, 'l', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    ct_put(&b, "<%s>", longer);
    assert_int_equal(b.length, sizeof longer + 1);
    assert_int_equal(strlen(b.text), b.length);
    assert_int_equal(b.text[0], '<');
    assert_int_equal(b.text[b.length - 1], '>');
    assert_memory_equal(b.text + 1, longer, sizeof longer - 1);
    ct_builder_free(&b);
    ct_put_text(&b, ""); /* nothing, which is a text too */
    assert_string_equal(b.text, "");
    ct_builder_free(&b);
}

/* The caller's memory, of every size: what fits is kept, all is counted, nothing beyond is touched. */
TEST(keeps_what_fits)
{
    for (size_t capacity = 0; capacity <= sizeof all + 4; ++capacity) {
        char text[sizeof all + 8], expected[sizeof all + 8];
        memset(text, '#', sizeof text);
        memset(expected, '#', sizeof expected);
        ct_builder b = ct_builder_fixed(text, capacity);
        put_all(&b);
        assert_int_equal(ct_builder_end(&b), strlen(all));
        assert_int_equal(b.length, strlen(all));
        if (capacity > 0) snprintf(expected, capacity, "%s", all);
        const size_t kept = capacity > 0 ? strlen(expected) + 1 : 0;
        assert_memory_equal(text, expected, kept);
        for (size_t i = capacity; i < sizeof text; ++i) assert_int_equal(text[i], '#');
        ct_builder_free(&b);
        assert_null(b.text);
    }
}

TEST(ends_an_empty_text)
{
    char text[4] = "abc";
    ct_builder b = ct_builder_fixed(text, sizeof text);
    assert_int_equal(ct_builder_end(&b), 0);
    assert_string_equal(text, "");
}

GROUP("builder", NULL, NULL)

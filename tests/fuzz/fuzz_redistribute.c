/* Sharded layouts: any text is read or refused with a reason, and is written as a text that reads as
 * the same; two that are read have plans that bring each element once. The first bytes are the shape
 * and the mesh; `|` stands between the source and the destination. */
#include <string.h>

#include "bytes.h"
#include <cutlet/host/redistribute.h>
#include <cutlet/host/text.h>

enum { RANKS = 8, ELEMS = 4096 };

static int read_side(const char *text, ct_tuple shape, ct_tuple mesh, ct_sharded *s)
{
    char message[CT_MESSAGE_BYTES], again[CT_TEXT_BYTES];
    ct_sharded same;
    if (ct_parse_sharded(text, shape, mesh, s, message)) {
        require(message[0] != '\0');
        for (const char *p = message; *p; ++p) require((unsigned char)*p >= 0x20);
        return 0;
    }
    require(ct_format_sharded(again, sizeof again, s) < (int)sizeof again);
    require(ct_parse_sharded(again, shape, ct_tuple0(), &same, NULL) == CT_OK);
    require(ct_layout_equal(same.layout, s->layout) && same.memory == s->memory);
    return ct_sharded_ranks(s) <= RANKS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[1024], message[CT_MESSAGE_BYTES];
    ct_redistribute_desc desc;
    ct_redistribute_info info;
    memset(&desc, 0, sizeof desc);
    if (size < 5 || size - 5 >= sizeof text) return 0;
    memcpy(text, data + 5, size - 5);
    text[size - 5] = '\0';
    const ct_tuple shape =
        ct_tuple_of(1 + data[0] % 3, 1 + data[1] % 64, 1 + data[2] % 16, 1 + data[3] % 4, 1);
    const ct_tuple mesh =
        ct_tuple_of(1 + (data[4] >> 7), 1 + data[4] % 4, 1 + data[4] / 4 % 3, 1, 1);
    char *const bar = strchr(text, '|');
    if (!bar) return 0;
    *bar = '\0';
    if (!read_side(text, shape, mesh, &desc.src.layout) ||
        !read_side(bar + 1, shape, mesh, &desc.dst.layout) || ct_product(shape) > ELEMS)
        return 0;
    desc.src.type = desc.dst.type = CT_TYPE_FLOAT;
    const ct_status bad = ct_redistribute_simulate(&desc, &info, message);
    require(!bad || bad == CT_E_CAPACITY);
    int64_t sent = 0;
    for (int64_t r = 0; r < info.ranks && !bad; ++r) {
        ct_redistribute *plan;
        ct_redistribute_info own;
        const ct_status planned = ct_redistribute_create(&desc, r, &plan, message);
        require(!planned || planned == CT_E_CAPACITY);
        if (planned) return 0;
        ct_redistribute_info_of(plan, &own);
        sent += own.bytes_sent;
        ct_redistribute_destroy(plan);
    }
    require(bad || sent == info.least_bytes);
    return 0;
}

/* A plan in words. */
#include <string.h>

#include "base/units.h"
#include <cutlet/host/text.h>
#include "plan.h"

/* The most transfers, and pieces of one, that are listed. */
enum { TRANSFERS_LISTED = 64, PIECES_LISTED = 4 };

static void put_transfer(ct_builder *b, const ct_redistribute *plan, int32_t t)
{
    const ct_transfer *const x = &plan->transfer[t];
    if (x->from == x->to)
        ct_put(b, "  stays      %lld element%s", (long long)x->elems, ct_plural(x->elems));
    else
        ct_put(b, "  round %-4lld %d -> %d  %lld element%s", (long long)x->round, x->from, x->to,
               (long long)x->elems, ct_plural(x->elems));
    for (int32_t k = 0; k < x->pieces && k < PIECES_LISTED; ++k) {
        ct_transfer_piece piece;
        char src[CT_TEXT_BYTES], dst[CT_TEXT_BYTES];
        ct_redistribute_piece(plan, t, k, &piece);
        ct_format_tensor(src, sizeof src, piece.src);
        ct_format_tensor(dst, sizeof dst, piece.dst);
        ct_put(b, "%s %s to %s", k ? "," : ":", src, dst);
    }
    if (x->pieces > PIECES_LISTED) ct_put(b, ", and %d more", x->pieces - PIECES_LISTED);
    ct_put_char(b, '\n');
}

static void put_time(ct_builder *b, const ct_redistribute_info *i, double rate)
{
    const int64_t most = ct_max(i->most_sent, i->most_received);
    ct_put(b, "time: at least ");
    ct_put_time(b, (double)most / rate);
    ct_put(b, ", by the rank that has most to send or receive (");
    ct_put_size(b, most);
    ct_put(b, ") over a link of %.4g GB/s each way\n", rate * 1e-9);
}

int ct_redistribute_describe(const ct_redistribute *plan, double link_bytes_per_second, char *buf,
                             size_t size)
{
    ct_builder b = ct_builder_fixed(buf, size);
    const ct_redistribute_info *const i = &plan->info;
    ct_put(&b, "%lld rank%s: ", (long long)i->ranks, ct_plural(i->ranks));
    ct_put_size(&b, i->all_bytes);
    ct_put(&b, " in %lld message%s; the least is ", (long long)i->all_messages,
           ct_plural(i->all_messages));
    ct_put_size(&b, i->least_bytes);
    ct_put(&b, "\nrounds: %lld; a rank has up to %lld message%s to send or to receive\n",
           (long long)i->rounds, (long long)i->least_rounds, ct_plural(i->least_rounds));
    if (link_bytes_per_second > 0) put_time(&b, i, link_bytes_per_second);
    ct_put(&b, "rank %lld keeps %lld, sends %lld and receives %lld element%s\n",
           (long long)plan->rank, (long long)i->elems_kept, (long long)i->elems_sent,
           (long long)i->elems_received, ct_plural(i->elems_received));
    for (int32_t t = 0; t < plan->transfers && t < TRANSFERS_LISTED; ++t) put_transfer(&b, plan, t);
    const int32_t more = plan->transfers - TRANSFERS_LISTED;
    if (more > 0) ct_put(&b, "  and %d more transfer%s\n", more, ct_plural(more));
    return ct_builder_end(&b);
}

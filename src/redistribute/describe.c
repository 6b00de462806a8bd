/* A plan in words. */
#include <string.h>

#include "base/builder.h"
#include "cutlet/host/text.h"
#include "plan.h"

/* The most transfers, and pieces of one, that are listed. */
enum { TRANSFERS_LISTED = 64, PIECES_LISTED = 4 };

static const char *plural(int64_t n) { return n == 1 ? "" : "s"; }

static void put_bytes(ct_builder *b, int64_t bytes)
{
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = (double)bytes;
    int k = 0;
    for (; value >= 1024 && k < 5; ++k) value /= 1024;
    if (k == 0) ct_put(b, "%lld byte%s", (long long)bytes, plural(bytes));
    else ct_put(b, "%.4g %s", value, unit[k]);
}

static void put_seconds(ct_builder *b, double seconds)
{
    if (seconds < 1e-3) ct_put(b, "%.3g us", seconds * 1e6);
    else if (seconds < 1) ct_put(b, "%.3g ms", seconds * 1e3);
    else ct_put(b, "%.3g s", seconds);
}

static void put_transfer(ct_builder *b, const ct_redistribute *plan, int32_t t)
{
    const ct_transfer *const x = &plan->transfer[t];
    if (x->from == x->to)
        ct_put(b, "  stays      %lld element%s", (long long)x->elems, plural(x->elems));
    else
        ct_put(b, "  round %-4lld %d -> %d  %lld element%s", (long long)x->round, x->from, x->to,
               (long long)x->elems, plural(x->elems));
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
    put_seconds(b, (double)most / rate);
    ct_put(b, ", by the rank that has most to send or receive (");
    put_bytes(b, most);
    ct_put(b, ") over a link of %.4g GB/s each way\n", rate * 1e-9);
}

int ct_redistribute_describe(const ct_redistribute *plan, double link_bytes_per_second, char *buf,
                             size_t size)
{
    ct_builder b = ct_builder_fixed(buf, size);
    const ct_redistribute_info *const i = &plan->info;
    ct_put(&b, "%lld rank%s: ", (long long)i->ranks, plural(i->ranks));
    put_bytes(&b, i->all_bytes);
    ct_put(&b, " in %lld message%s; the least is ", (long long)i->all_messages,
           plural(i->all_messages));
    put_bytes(&b, i->least_bytes);
    ct_put(&b, "\nrounds: %lld; a rank has up to %lld message%s to send or to receive\n",
           (long long)i->rounds, (long long)i->least_rounds, plural(i->least_rounds));
    if (link_bytes_per_second > 0) put_time(&b, i, link_bytes_per_second);
    ct_put(&b, "rank %lld keeps %lld, sends %lld and receives %lld elements\n",
           (long long)plan->rank, (long long)i->elems_kept, (long long)i->elems_sent,
           (long long)i->elems_received);
    for (int32_t t = 0; t < plan->transfers && t < TRANSFERS_LISTED; ++t) put_transfer(&b, plan, t);
    if (plan->transfers > TRANSFERS_LISTED)
        ct_put(&b, "  and %d more transfers\n", plan->transfers - TRANSFERS_LISTED);
    return ct_builder_end(&b);
}

/* What the model chooses for the CPU, and what measuring tries beside it. */
#include "cpu.h"
#include "pool.h"

/* Below so many bytes, waking other threads takes longer than the copy. */
enum { ALONE_BYTES = 1 << 18 };

/* Fits a tile to the extents: a short side leaves room for a longer one opposite. */
static void fit_tile(const ct_plan_form *f, ct_plan_choice *c)
{
    const int64_t room = CT_CPU_TILE_BYTES / f->dst_bytes / 2;
    const int64_t along = f->mode[0].extent, across = f->mode[1].extent;
    if (along < c->tile_src) {
        c->tile_src = (int32_t)along;
        c->tile_dst = (int32_t)ct_min(across, room / along / 64 * 64);
    } else if (across < c->tile_dst) {
        c->tile_dst = (int32_t)across;
        c->tile_src = (int32_t)ct_min(CT_CPU_TILE_ROWS, ct_min(along, room / across / 64 * 64));
    }
    if (c->tile_src < 1) c->tile_src = 1;
    if (c->tile_dst < 1) c->tile_dst = 1;
}

/* A tile of so many units on either side, or of fewer where these do not fit in. */
static void set_tile(const ct_plan *plan, ct_plan_choice *c, int32_t src, int32_t dst)
{
    for (; (int64_t)src * dst * plan->form.dst_bytes > CT_CPU_TILE_BYTES; dst /= 2) src /= 2;
    c->tile_src = src;
    c->tile_dst = dst;
    if (plan->form.kind == CT_FORM_TILES) fit_tile(&plan->form, c);
}

/* Whether a tile goes to the destination as it is turned: where its rows or columns are so few that
 * the way through a buffer takes longer than what it saves. */
static int goes_directly(const ct_plan_form *f, const ct_plan_choice *c)
{
    return c->tile_src * f->dst_bytes < CT_CPU_LINE || c->tile_dst * f->dst_bytes < 4 * CT_CPU_LINE;
}

ct_plan_choice ct_cpu_choose(const ct_plan *plan)
{
    ct_plan_choice c = {0};
    const int64_t bytes = plan->size * (int64_t)(plan->desc.src.elem_bytes + plan->desc.dst.elem_bytes);
    c.threads = bytes / 2 < ALONE_BYTES ? 1 : ct_pool_threads();
    const int32_t unit = plan->form.dst_bytes;
    const int32_t side = unit == 1 ? 128 : unit <= 4 ? 64 : 32;
    set_tile(plan, &c, side, side);
    if (plan->form.kind != CT_FORM_TILES) return c;
    c.direct = goes_directly(&plan->form, &c);
    return c;
}

int ct_cpu_candidate(const ct_plan *plan, int k, ct_plan_choice *choice)
{
    static const int32_t sides[][2] = {{64, 64}, {32, 32}, {32, 128}, {128, 32}, {16, 128}, {128, 128}};
    const int tiles = plan->form.kind == CT_FORM_TILES ? (int)(sizeof sides / sizeof *sides) : 0;
    *choice = ct_cpu_choose(plan);
    if (k == 0) return 1;
    if (k <= 3 * tiles) {
        const int32_t *const s = sides[(k - 1) / 3];
        set_tile(plan, choice, s[0], s[1]);
        choice->streams = (k - 1) % 3 == 1;
        choice->direct = (k - 1) % 3 == 2;
        return 1;
    }
    choice->threads = 1;
    return k == 3 * tiles + 1 && ct_pool_threads() > 1;
}

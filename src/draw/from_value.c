/* Pictures of values: the builder that goes with each kind. */
#include "from_value.h"

#include "base/refuse.h"

static ct_picture *picture_of_atom(const ct_copy_atom *atom, const ct_draw_options *options,
                                   char *message)
{
    const int64_t n = ct_max(ct_cosize(atom->src_tv), ct_cosize(atom->dst_tv));
    const ct_tuple tile = atom->matrices > 0 && n % 8 == 0 ? ct_tuple2(8, n / 8) : ct_int(n);
    return ct_picture_copy(atom->src_tv, atom->dst_tv, tile, options, message);
}

static ct_picture *picture_of(const ct_value *v, const ct_draw_options *options, char *message)
{
    switch (v->kind) {
        case CT_KIND_LAYOUT: return ct_picture_layout(v->as.layout, options, message);
        case CT_KIND_TENSOR: return ct_picture_tensor(v->as.tensor, options, message);
        case CT_KIND_COPY_ATOM: return picture_of_atom(&v->as.atom, options, message);
        case CT_KIND_TILED_COPY: return ct_picture_tiled_copy(v->as.copy, options, message);
        case CT_KIND_MMA_ATOM: return ct_picture_mma_atom(v->as.mma_atom, options, message);
        case CT_KIND_TILED_MMA: return ct_picture_tiled_mma(v->as.mma, options, message);
        default:
            ct_refuse(message, CT_E_ARGUMENT,
                      "%s has no picture; draw a layout, a composed layout, a tensor, "
                      "a tiled copy or a tiled MMA",
                      ct_kind_name(v));
            return NULL;
    }
}

ct_picture *ct_picture_value(const ct_value *v, const ct_tuple *tile,
                             const ct_draw_options *options, char message[CT_MESSAGE_BYTES])
{
    if (!tile) return picture_of(v, options, message);
    if (v->kind == CT_KIND_LAYOUT) return ct_picture_tv(v->as.layout, *tile, options, message);
    ct_refuse(message, CT_E_ARGUMENT, "--tile is for a thread-value layout, not %s",
              ct_kind_name(v));
    return NULL;
}

/* The ranks that a rank exchanges elements with. */
#include "peers.h"

#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"

void ct_peers_free(ct_peers *p)
{
    for (int m = 0; m < CT_SHARDED_MODES; ++m) free(p->key[m]);
    memset(p, 0, sizeof *p);
}

ct_status ct_peers_of(const ct_sides *s, int side, int64_t rank, ct_peers *out, char *message)
{
    int64_t own[CT_SHARDED_MODES];
    memset(out, 0, sizeof *out);
    out->side = side;
    out->rank = rank;
    if (!ct_sides_keys(s, side, rank, own)) return CT_OK;
    out->count = side == 0 ? s->side[1].holders : 1;
    for (int m = 0; m < s->modes; ++m) {
        const ct_status bad =
            ct_sides_met(s, m, side, own[m], 0, &out->key[m], &out->keys[m], message);
        if (bad) {
            ct_peers_free(out);
            return bad;
        }
        out->count *= out->keys[m];
    }
    return CT_OK;
}

void ct_peers_place(const ct_sides *s, const ct_peers *p, int64_t i,
                    int64_t place[CT_SHARDED_MODES])
{
    for (int m = 0; m < s->modes; ++m) {
        place[m] = i % p->keys[m];
        i /= p->keys[m];
    }
}

int64_t ct_peers_rank(const ct_sides *s, const ct_peers *p, int64_t i)
{
    int64_t place[CT_SHARDED_MODES], keys[CT_SHARDED_MODES], own[CT_SHARDED_MODES], different = 0;
    ct_peers_place(s, p, i, place);
    for (int m = 0; m < s->modes; ++m) {
        keys[m] = p->key[m][place[m]].key;
        i /= p->keys[m];
    }
    if (p->side == 0) return ct_axes_rank(&s->side[1], keys, i);
    const int holds = ct_sides_keys(s, 0, p->rank, own);
    for (int m = 0; m < s->modes && holds; ++m) different |= own[m] != keys[m];
    return holds && !different ? p->rank : ct_sides_giver(s, keys, p->rank);
}

int64_t ct_peers_find(const ct_sides *s, const ct_peers *p, int64_t rank)
{
    int64_t keys[CT_SHARDED_MODES], i = ct_axes_copy(&s->side[1], rank);
    ct_sides_keys(s, 1, rank, keys);
    for (int m = s->modes - 1; m >= 0; --m) {
        int64_t place = 0;
        while (p->key[m][place].key != keys[m]) ++place;
        i = i * p->keys[m] + place;
    }
    return i;
}

int ct_givers_next(ct_givers *g, int64_t *i, int64_t *giver, int64_t *receiver)
{
    const ct_sides *const s = g->sides;
    int64_t own[CT_SHARDED_MODES], keys[CT_SHARDED_MODES];
    ct_sides_keys(s, 0, g->peers->rank, own);
    while (g->next < g->peers->count) {
        *i = g->next++;
        *receiver = ct_peers_rank(s, g->peers, *i);
        if (s->side[0].holders == 1) { /* the only holder */
            *giver = g->peers->rank;
            if (*receiver == *giver) continue;
            return 1;
        }
        int holds = ct_sides_keys(s, 0, *receiver, keys);
        for (int m = 0; m < s->modes && holds; ++m) holds = own[m] == keys[m];
        if (holds) continue;
        *giver = ct_axes_rank(&s->side[0], own, g->turn++ % s->side[0].holders);
        return 1;
    }
    return 0;
}

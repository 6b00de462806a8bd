#include "atoms.h"

#include <string.h>

/* n: the bits of an access, or the number of matrices; 0: of one value. */
static const struct {
    const char *name;
    int32_t kind, n;
} atoms[] = {
    {"universal8", CT_ATOM_UNIVERSAL, 8},
    {"universal16", CT_ATOM_UNIVERSAL, 16},
    {"universal32", CT_ATOM_UNIVERSAL, 32},
    {"universal64", CT_ATOM_UNIVERSAL, 64},
    {"universal128", CT_ATOM_UNIVERSAL, 128},
    {"universal256", CT_ATOM_UNIVERSAL, 256},
    {"cp_async_ca32", CT_ATOM_CP_ASYNC_CA, 32},
    {"cp_async_ca64", CT_ATOM_CP_ASYNC_CA, 64},
    {"cp_async_ca128", CT_ATOM_CP_ASYNC_CA, 128},
    {"cp_async_cg128", CT_ATOM_CP_ASYNC_CG, 128},
    {"ldmatrix_x1", CT_ATOM_LDMATRIX, 1},
    {"ldmatrix_x2", CT_ATOM_LDMATRIX, 2},
    {"ldmatrix_x4", CT_ATOM_LDMATRIX, 4},
    {"ldmatrix_x1_trans", CT_ATOM_LDMATRIX_TRANS, 1},
    {"ldmatrix_x2_trans", CT_ATOM_LDMATRIX_TRANS, 2},
    {"ldmatrix_x4_trans", CT_ATOM_LDMATRIX_TRANS, 4},
    {"stmatrix_x1", CT_ATOM_STMATRIX, 1},
    {"stmatrix_x2", CT_ATOM_STMATRIX, 2},
    {"stmatrix_x4", CT_ATOM_STMATRIX, 4},
    {"stmatrix_x1_trans", CT_ATOM_STMATRIX_TRANS, 1},
    {"stmatrix_x2_trans", CT_ATOM_STMATRIX_TRANS, 2},
    {"stmatrix_x4_trans", CT_ATOM_STMATRIX_TRANS, 4},
    {"auto", CT_ATOM_AUTO, 0},
    {"bulk_load", CT_ATOM_BULK_LOAD, 0},
    {"bulk_store", CT_ATOM_BULK_STORE, 0},
    {"tma_load", CT_ATOM_TMA_LOAD, 0},
    {"tma_store", CT_ATOM_TMA_STORE, 0},
    {"tma_add", CT_ATOM_TMA_ADD, 0},
    {"tma_min", CT_ATOM_TMA_MIN, 0},
    {"tma_max", CT_ATOM_TMA_MAX, 0},
};

#define COUNT ((int)(sizeof atoms / sizeof atoms[0]))

const char *ct_atom_name(const ct_copy_atom *a)
{
    const int32_t n = a->matrices > 0 ? a->matrices : a->bits;
    for (int i = 0; i < COUNT; ++i) {
        if (atoms[i].kind == a->kind && (atoms[i].n == n || atoms[i].n == 0)) return atoms[i].name;
    }
    return NULL;
}

int ct_atom_named(const char *name, int32_t value_bits, ct_copy_atom *out)
{
    for (int i = 0; i < COUNT; ++i) {
        if (strcmp(atoms[i].name, name) != 0) continue;
        switch (atoms[i].kind) {
            case CT_ATOM_UNIVERSAL: *out = ct_copy_atom_universal(atoms[i].n, value_bits); break;
            case CT_ATOM_CP_ASYNC_CA:
            case CT_ATOM_CP_ASYNC_CG:
                *out = ct_copy_atom_cp_async(atoms[i].kind, atoms[i].n, value_bits);
                break;
            case CT_ATOM_AUTO: *out = ct_copy_atom_auto(value_bits); break;
            case CT_ATOM_BULK_LOAD:
            case CT_ATOM_BULK_STORE:
            case CT_ATOM_TMA_LOAD:
            case CT_ATOM_TMA_STORE:
            case CT_ATOM_TMA_ADD:
            case CT_ATOM_TMA_MIN:
            case CT_ATOM_TMA_MAX: *out = ct_copy_atom_tile(atoms[i].kind, value_bits); break;
            default: *out = ct_copy_atom_matrix(atoms[i].kind, atoms[i].n, value_bits); break;
        }
        return 1;
    }
    return 0;
}

const char *ct_atom_listed(int i) { return i >= 0 && i < COUNT ? atoms[i].name : NULL; }

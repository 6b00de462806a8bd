/* A kernel whose accesses are read from a table. gcc compiles this file as a part of
 * test_traffic_random.c, nvcc for the GPU. */
#include "traffic_args.h"

/* One access of one thread; `bits` is a constant where it is inlined. */
CT_DEVICE void traffic_access(const int32_t kind, const int bits, const int on,
                              unsigned char *global, unsigned char *shared, uint32_t *x)
{
    if (kind == 0) ct_load_global_if(on, x, global, bits);
    else if (kind == 1) ct_store_global_if(on, global, x, bits);
    else if (kind == 2) ct_load_shared_if(on, x, shared, bits);
    else ct_store_shared_if(on, shared, x, bits);
}

CT_DEVICE void traffic_matrix(const traffic_args *a, unsigned char *row, uint32_t *x)
{
    const int load = a->kind == 6;
    if (a->matrices == 1 && load && !a->trans) ct_ldmatrix_x1(x, row);
    else if (a->matrices == 2 && load && !a->trans) ct_ldmatrix_x2(x, row);
    else if (a->matrices == 4 && load && !a->trans) ct_ldmatrix_x4(x, row);
    else if (a->matrices == 1 && load) ct_ldmatrix_x1_trans(x, row);
    else if (a->matrices == 2 && load) ct_ldmatrix_x2_trans(x, row);
    else if (a->matrices == 4 && load) ct_ldmatrix_x4_trans(x, row);
#if CT_HAS_STMATRIX
    else if (a->matrices == 1 && !a->trans) ct_stmatrix_x1(row, x);
    else if (a->matrices == 2 && !a->trans) ct_stmatrix_x2(row, x);
    else if (a->matrices == 4 && !a->trans) ct_stmatrix_x4(row, x);
    else if (a->matrices == 1) ct_stmatrix_x1_trans(row, x);
    else if (a->matrices == 2) ct_stmatrix_x2_trans(row, x);
    else ct_stmatrix_x4_trans(row, x);
#endif
}

/* The kinds are those of ct_access: LDG 0, STG 1, LDS 2, STS 3, LDGSTS 4, LDGSTS.BYPASS 5, LDSM 6,
 * STSM 7. Shared memory is written before it is read. */
CT_KERNEL(gk_traffic_table, traffic_args, args)
{
    CT_SHARED_DYNAMIC(unsigned char, tile);
    const int t = (int)threadIdx.x, threads = (int)blockDim.x;
    CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
    for (int i = 16 * t; (args.kind == 2 || args.kind == 6) && i < args.bytes; i += 16 * threads)
        ct_store_shared(tile + i, x, 128);
    __syncthreads();
    for (int i = 0; i < args.count; ++i) {
        const int32_t own = args.own[i * threads + t];
        const int on = own != TRAFFIC_OFF;
        unsigned char *global = args.global + (on ? own : 0), *shared = tile + (on ? own : 0);
        unsigned char *to = tile + (on ? args.shared[i * threads + t] : 0);
        if (args.kind < 4) {
            if (args.bits == 8) traffic_access(args.kind, 8, on, global, shared, x);
            else if (args.bits == 16) traffic_access(args.kind, 16, on, global, shared, x);
            else if (args.bits == 32) traffic_access(args.kind, 32, on, global, shared, x);
            else if (args.bits == 64) traffic_access(args.kind, 64, on, global, shared, x);
            else traffic_access(args.kind, 128, on, global, shared, x);
        } else if (args.kind == 4) {
            if (args.bits == 32) ct_cp_async_ca_if(on, to, global, 4);
            else if (args.bits == 64) ct_cp_async_ca_if(on, to, global, 8);
            else ct_cp_async_ca_if(on, to, global, 16);
        } else if (args.kind == 5) {
            ct_cp_async_cg_if(on, to, global, 16);
        } else {
            traffic_matrix(&args, shared, x);
        }
        ct_cp_async_wait_all();
        __syncthreads();
    }
}

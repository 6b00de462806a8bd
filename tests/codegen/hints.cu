// Cache hints and prefetches: one instruction each, in every width.

#include "../grid/hint_kernels.cu"

// gate hk_hints
// gate hk_hints, count ld.global.cg.(v4.u32|v2.u32|u32|u16|u8) == 5
// gate hk_hints, count st.global.cg.(v4.u32|v2.u32|u32|u16|u8) == 5
// gate hk_hints, count ld.global.cs == 5
// gate hk_hints, count st.global.cs == 15
// gate hk_hints, count ld.global.lu == 5
// gate hk_hints, count st.global.wt == 5
// gate hk_hints, count ld.global.cv == 5
// gate hk_hints, count ld.global.nc.(v|u) == 5
// gate hk_hints, count ld.global.L1::no_allocate == 5
// gate hk_hints, count st.global.L1::no_allocate == 5
// gate hk_hints, count ld.global.nc.L1::no_allocate == 5
// gate hk_hints, count ld.global.L1::evict_first == 5
// gate hk_hints, count st.global.L1::evict_last == 5
// gate hk_more_hints
// gate hk_more_hints, count ld.global.L1::evict_last == 5
// gate hk_more_hints, count ld.global.L2::(64|128|256)B == 15
// gate hk_more_hints, count createpolicy.fractional.L2::evict == 3
// gate hk_more_hints, count (ld|st).global.L2::cache_hint == 4
// gate hk_prefetch
// gate hk_prefetch, count prefetch.global.L[12] == 2
// gate hk_prefetch, count cp.async.c[ag].shared.global.L2::(64|128|256)B == 3

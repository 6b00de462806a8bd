/* Two layouts of a kernel, each with a mistake that `cutlet lint` proves. */
#include <cute/tensor.hpp>
using namespace cute;

static constexpr int kRow = 64;

/* ldmatrix reads rows of 128 bytes: the swizzle has a bit too few. */
using SmemLayoutAtomA = decltype(composition(
    Swizzle<2, 3, 3>{}, Layout<Shape<_8, Int<kRow>>, Stride<Int<kRow>, _1>>{}));
using SmemCopyAtomA = Copy_Atom<SM75_U32x4_LDSM_N, half_t>;

/* Eight halves lie together, and each access moves two. */
// cutlet-lint: src=(128,64):(64,1)
using GmemTiledCopyC =
    decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint32_t>, half_t>{},
                             Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{}));

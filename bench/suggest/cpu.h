// The candidates of one problem on the CPU, thread after thread: the same code as on the GPU, but
// for the instructions of ldmatrix, over two by two tiles.
#pragma once
#include <cstdio>
#include <vector>

#include "tile_copy.h"

struct shared_rows {
    const char *smem;
    const int *at;  // the byte that each lane's address leads to
    uint8_t operator()(int lane, int byte) const { return (uint8_t)smem[at[lane] + byte]; }
};

template <class C> uint32_t read_matrices(int t, const char *smem)
{
    uint32_t sum = 0;
    for (int k = 0; k < pieces<16 / ELEM>; ++k) {
        int at[32];
        for (int l = 0; l < 32; ++l) {
            int m, n;
            piece<16 / ELEM>(k * THREADS + t / 32 * 32 + l, m, n);
            at[l] = C::shared(m, n);
        }
        const shared_rows rows = {smem, at};
        for (int q = 0; q < 4; ++q) sum = fold(sum, matrix_register(rows, t % 32, q));
    }
    return sum;
}

struct entry {
    int (*check)();
    const char *about;
};

// The copies of four tiles are right: the number of threads whose sums differ.
template <class C> int check()
{
    const int64_t ld = LD;
    const int lines = 2 * (SRC_ROW ? TILE_M : TILE_N);
    std::vector<uint32_t> words((size_t)(lines * ld * ELEM / 4));
    std::vector<word16> room(C::bytes / 16 + 1);
    char *const smem = (char *)room.data();
    int wrong = 0;
    for (size_t i = 0; i < words.size(); ++i) {
        uint32_t x = (uint32_t)i * 0x9e3779b9u;
        words[i] = (x ^ x >> 15) * 0x85ebca6bu;
    }
    for (int tile = 0; tile < 4; ++tile) {
        const char *const src = (const char *)words.data() +
                                source(ld, tile % 2 * TILE_M, tile / 2 * TILE_N);
        memset(smem, 0xa5, (size_t)C::bytes);
        for (int t = 0; t < THREADS; ++t) fill<C>(t, src, ld, smem);
        for (int t = 0; t < THREADS; ++t) {
            if constexpr (READ >= LDMATRIX)
                wrong += read_matrices<C>(t, smem) != expected_matrices(t, src, ld);
            else wrong += read<C>(t, smem) != expected<C::read_run>(t, src, ld);
        }
    }
    return wrong;
}

template <class C> entry make(const char *, const char *about) { return {check<C>, about}; }

static int run_all(const std::vector<entry> &all)
{
    int wrong = 0;
    for (const entry &e : all) {
        const int n = e.check();
        if (n) printf("%s: wrong in %d threads: %s\n", PROBLEM, n, e.about);
        wrong += n > 0;
    }
    printf("%s: %d candidates, %d wrong\n", PROBLEM, (int)all.size(), wrong);
    return wrong > 0;
}

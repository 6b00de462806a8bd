// The layer for C++: values, operators, text, owners; with exceptions and without.
#include <cutlet/cutlet.hpp>

#include <cassert>
#include <cstring>
#include <iostream>
#include <sstream>
#include <unordered_set>

#undef NDEBUG
#include <cassert>

using cutlet::any;
using cutlet::layout;
using cutlet::swizzle;
using cutlet::tensor;
using cutlet::tiler;
using cutlet::to_string;
using cutlet::tuple;

static void values()
{
    const layout L({4, {2, 4}}, {8, {4, 1}});
    assert(to_string(L) == "(4,(2,4)):(8,(4,1))");
    assert(L == layout("(4,(2,4)):(8,(4,1))") && L != layout(tuple{4, {2, 4}}));
    assert(L(3, tuple{1, 2}) == 30 && L(5) == 12 && L.size() == 32 && L.rank() == 2 && L.cosize() == 32);
    assert(L[1] == layout({2, 4}, {4, 1}) && L.shape() == (tuple{4, {2, 4}}) && L.shape()[1][0] == tuple(2));
    assert(to_string(L.slice({2, any()})) == "16@((2,4)):((4,1))");
    assert(layout(4, 2)(3) == 6 && to_string(tuple{}) == "()" && tuple("(2,_)") == (tuple{2, any()}));
    assert(layout({2, 3}, {ct_basis(1, 0), ct_basis(1, 1)}).at(5) == (tuple{1, 2}));
    assert(layout({2, 3}, {ct_basis(1, 0), ct_basis(1, 1)})(5) == CT_INVALID);
    const layout diagonal(8, tuple(ct_basis(1, 0)) + ct_basis(2, 1));
    assert(to_string(diagonal) == "8:1@0+2@1" && diagonal.at(3) == (tuple{3, 6}));
    assert(layout(tuple{8, 16}).compose(diagonal) == layout(8, 17));
    std::unordered_set<layout> set{L, L, layout(4, 1)};
    assert(set.size() == 2 && set.count(L) == 1);
}

static void operators()
{
    assert(to_string(layout(tuple{8, 8}) / tiler{4, 2}) == "((4,2),(2,4)):((1,4),(8,16))");
    assert(to_string(layout(tuple{8, 8}) / tiler("<4:2,_>")) == "((4,2),8):((2,1),8)");
    assert(layout(12, 1) / layout(4, 3) == layout(ct_logical_divide(layout(12, 1), layout(4, 3))));
    assert(to_string(layout(tuple{2, 2}) * layout(tuple(3))) == "((2,2),3):((1,2),4)");
    assert(to_string(layout({6, 2}, {8, 2}).compose(layout({4, 3}, {3, 1}))) == "((2,2),3):((24,2),8)");
    const tensor s = swizzle(3, 4, 3).compose(layout({8, 64}, {64, 1}));
    assert(to_string(s) == "Sw<3,4,3> o 0 o (8,64):(64,1)" && s == tensor("Sw<3,4,3> o 0 o (8,64):(64,1)"));
    assert(swizzle(3, 4, 3)(200) == 216 && s.size() == 512 && s != tensor("0@4:1"));
    std::ostringstream out;
    out << layout(4, 2) << " " << tuple{1, 2} << " " << swizzle(1, 0, 1) << " " << tiler{4, 2} << " " << s;
    assert(out.str() == "4:2 (1,2) Sw<1,0,1> <4:1,2:1> Sw<3,4,3> o 0 o (8,64):(64,1)");
    const ct_tiled_copy copy = ct_make_tiled_copy(ct_copy_atom_universal(128, 16), layout({16, 8}, {8, 1}),
                                                  layout({1, 8}, {1, 1}));
    assert(to_string(copy).find("tiled_copy_of(copy_atom(universal128, 16)") == 0);
    assert(cutlet::checked(copy).tv.profile.leaves == 3);
}

/* A layout where C takes a tensor: the tensor at offset 0. */
static void partitions()
{
    const layout L({8, 16}, {16, 1});
    const ct_layout plain = L;
    const tensor whole = ct_make_tensor(L);
    const tiler by{2, 4};
    const tuple at{1, 2};
    const ct_tiled_copy copy = ct_make_tiled_copy(ct_copy_atom_universal(32, 16), layout({4, 2}, {2, 1}),
                                                  layout({1, 2}, {1, 1}));
    const ct_tiled_mma mma = ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"),
                                               layout(tuple{1, 1, 1}), ct_tiler0());
    assert(to_string(ct_local_tile(L, by, at)) == "40@(2,4):(16,1)");
    assert(tensor(ct_local_tile(plain, by, at)) == ct_local_tile(whole, by, at));
    assert(to_string(ct_inner_partition(L, by, at)) == "40@(2,4):(16,1)");
    assert(tensor(ct_inner_partition(plain, by, at)) == ct_inner_partition(whole, by, at));
    assert(to_string(ct_outer_partition(L, by, at)) == "18@(4,4):(32,4)");
    assert(tensor(ct_outer_partition(plain, by, at)) == ct_outer_partition(whole, by, at));
    assert(to_string(ct_local_partition(L, layout({2, 4}, {4, 1}), 6)) == "18@(4,4):(32,4)");
    assert(tensor(ct_local_partition(plain, layout({2, 4}, {4, 1}), 6)) ==
           ct_local_partition(whole, layout({2, 4}, {4, 1}), 6));
    assert(to_string(ct_partition_src(copy, L, 5)) == "34@((2,1),2,4):((1,0),64,4)");
    assert(tensor(ct_partition_src(copy, plain, 5)) == ct_partition_src(copy, whole, 5));
    assert(to_string(ct_partition_dst(copy, L, 5)) == "34@((2,1),2,4):((1,0),64,4)");
    assert(tensor(ct_partition_dst(copy, plain, 5)) == ct_partition_dst(copy, whole, 5));
    const layout a({16, 16}, {16, 1}), b({8, 16}, {1, 8}), c({16, 8}, {8, 1});
    assert(to_string(ct_partition_a(mma, a, 9)) == "34@((2,2,2),1,1):((1,128,8),0,0)");
    assert(to_string(ct_partition_b(mma, b, 9)) == "18@((2,2),1,1):((8,64),0,0)");
    assert(to_string(ct_partition_c(mma, c, 9)) == "18@((2,2),1,1):((1,64),0,0)");
    const ct_layout bad = ct_composition(layout({4, 2}, {1, 8}), layout(3, 3));
    assert(bad.err.status == CT_E_NO_LAYOUT);
    assert(ct_err(ct_local_tile(bad, by, at)).why == bad.err.why);
}

static void owners()
{
    cutlet::value v("offsets(4:2)"), w = std::move(v);
    assert(to_string(w.get()) == "(0,2,4,6)" && v.get().kind == CT_KIND_NONE && w.ok());
    w = cutlet::value("size((4,8))");
    assert(to_string(w.get()) == "32");
    assert(cutlet::explain("coalesce((2,2))").find("= 4:1") != std::string::npos);
    cutlet::plan p(layout({2, 3}, {3, 1}), layout({2, 3}, {1, 2}), CT_TYPE_FLOAT), q = std::move(p);
    const float from[6] = {0, 1, 2, 3, 4, 5}, want[6] = {0, 3, 1, 4, 2, 5};
    float to[6];
    assert(q.ok() && !p.ok() && q.run(to, from) == CT_OK && std::memcmp(to, want, sizeof to) == 0);
    assert(q.info().elements == 6);
    assert(cutlet::picture(layout({4, 8}, {8, 1})).render().find("<svg") == 0);
    assert(cutlet::picture(layout({32, 4}, {1, 32}), tuple{8, 16}).ok());
}

#ifdef CUTLET_NO_EXCEPTIONS
static void failures()
{
    const layout bad = layout({4, 2}, {1, 8}).compose(layout(3, 3));
    assert(!bad.ok() && bad.message().find("composition: mode 0 of B has stride 3") == 0);
    assert(layout(4, 1)(9) == CT_INVALID && bad(0) == CT_INVALID);
    assert(!cutlet::value("(4,2:").ok() && !cutlet::value("(4,2:").message().empty());
    assert(!cutlet::plan(layout(4, 1), layout(5, 1), CT_TYPE_FLOAT).ok());
    assert(!cutlet::picture(layout(tuple{4096, 4096})).ok());
}
#else
template <class Call> static ct_status caught(Call call, const char *sentence)
{
    try {
        call();
    } catch (const cutlet::error &e) {
        if (std::strstr(e.what(), sentence)) return e.status();
        std::cerr << e.what() << "\n";
    }
    return CT_OK;
}

static void failures()
{
    assert(caught([] { layout({4, 2}, {1, 8}).compose(layout(3, 3)); }, "mode 0 of B") == CT_E_NO_LAYOUT);
    assert(caught([] { layout(4, 1)(9); }, "9") == CT_E_DOMAIN);
    assert(caught([] { layout(tuple{4, 0}); }, "at least 1") == CT_E_ARGUMENT);
    assert(caught([] { layout("(4,2:"); }, "text ends") == CT_E_TEXT);
    assert(caught([] { cutlet::value("complement((2,2):(2,6), 24)"); }, "complement") != CT_OK);
    assert(caught([] { cutlet::plan(layout(4, 1), layout(5, 1), CT_TYPE_FLOAT); }, "5") == CT_E_ARGUMENT);
    assert(caught([] { cutlet::picture{layout(tuple{4096, 4096})}; }, "cells") == CT_E_ARGUMENT);
    assert(caught([] { swizzle(3, 0, 1); }, "Sw<3,0,1>") != CT_OK);
}
#endif

int main()
{
    values();
    operators();
    partitions();
    owners();
    failures();
}

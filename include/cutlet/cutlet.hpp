/**
 * cutlet for C++17: operators, text and owners over the functions of C. Header-only; programs link
 * libcutlet.
 *
 *     cutlet::layout L({4, 8}, {8, 1});
 *     std::cout << L(2, 3) << "  " << L / cutlet::tiler{2, 4} << "\n";
 *     cutlet::layout R = ct_right_inverse(L);    // every function of C takes and makes these values
 *     cutlet::tensor tile = ct_local_tile(L, cutlet::tiler{2, 4}, cutlet::tuple{1, 0});
 *
 * A value is the C structure with constructors and operators: cutlet::layout is a ct_layout. A
 * failure throws cutlet::error, with its message. With CUTLET_NO_EXCEPTIONS, or with exceptions
 * disabled, nothing throws: a failed value carries its error, as in C, and ok() and message()
 * report it.
 */
#ifndef CUTLET_CUTLET_HPP
#define CUTLET_CUTLET_HPP

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <cutlet/cutlet.h>
#include <cutlet/err.h>
#include <cutlet/host/draw.h>
#include <cutlet/host/eval.h>
#include <cutlet/host/explain.h>
#include <cutlet/host/plan.h>
#include <cutlet/host/text.h>

#if !defined(CUTLET_NO_EXCEPTIONS) && !defined(__cpp_exceptions)
#define CUTLET_NO_EXCEPTIONS
#endif

/*
 * The partitions of C take a tensor. In C++ they take a layout too, as the tensor at offset 0.
 */
inline ct_tensor ct_inner_partition(const ct_layout &L, const ct_tiler &T, const ct_tuple &coord)
{
    return ct_inner_partition(ct_make_tensor(L), T, coord);
}
inline ct_tensor ct_outer_partition(const ct_layout &L, const ct_tiler &T, const ct_tuple &coord)
{
    return ct_outer_partition(ct_make_tensor(L), T, coord);
}
inline ct_tensor ct_local_tile(const ct_layout &L, const ct_tiler &T, const ct_tuple &coord)
{
    return ct_local_tile(ct_make_tensor(L), T, coord);
}
inline ct_tensor ct_local_partition(const ct_layout &L, const ct_layout &thr, int64_t index)
{
    return ct_local_partition(ct_make_tensor(L), thr, index);
}
inline ct_tensor ct_partition_src(const ct_tiled_copy &t, const ct_layout &L, int64_t thread)
{
    return ct_partition_src(t, ct_make_tensor(L), thread);
}
inline ct_tensor ct_partition_dst(const ct_tiled_copy &t, const ct_layout &L, int64_t thread)
{
    return ct_partition_dst(t, ct_make_tensor(L), thread);
}
inline ct_tensor ct_partition_a(const ct_tiled_mma &t, const ct_layout &L, int64_t thread)
{
    return ct_partition_a(t, ct_make_tensor(L), thread);
}
inline ct_tensor ct_partition_b(const ct_tiled_mma &t, const ct_layout &L, int64_t thread)
{
    return ct_partition_b(t, ct_make_tensor(L), thread);
}
inline ct_tensor ct_partition_c(const ct_tiled_mma &t, const ct_layout &L, int64_t thread)
{
    return ct_partition_c(t, ct_make_tensor(L), thread);
}

namespace cutlet {

/** The sentence of an error; empty where there is no error. */
inline std::string message(const ct_error &e)
{
    char text[CT_MESSAGE_BYTES] = "";
    ct_error_message(e, text, sizeof text);
    return text;
}

/** What failed: the sentence is what(). */
class error : public std::runtime_error {
public:
    error(ct_status status, const std::string &sentence, ct_error err = ct_error{})
        : std::runtime_error(sentence), status_(status), err_(err)
    {
    }
    ct_status status() const { return status_; } /**< CT_E_... */
    const ct_error &err() const { return err_; } /**< the numbers, of an operation of the algebra */

private:
    ct_status status_;
    ct_error err_;
};

/** Throws the error of a status, where exceptions are on; nothing for CT_OK. */
inline void check(ct_status status, const std::string &sentence, ct_error err = ct_error{})
{
#ifdef CUTLET_NO_EXCEPTIONS
    (void)status, (void)sentence, (void)err;
#else
    if (status != CT_OK) throw error(status, sentence, err);
#endif
}

/** The value as it is; throws where it is failed. */
template <class Value> const Value &checked(const Value &v)
{
    const ct_error e = ct_err(v);
    if (e.status != CT_OK) check(e.status, message(e), e);
    return v;
}

namespace detail {

/* The text that a function of the form of ct_format_... writes. */
template <class Write> std::string written(Write write)
{
    std::vector<char> text(CT_TEXT_BYTES);
    const int n = write(text.data(), text.size());
    if (n >= static_cast<int>(text.size())) {
        text.resize(static_cast<std::size_t>(n) + 1);
        write(text.data(), text.size());
    }
    return text.data();
}

/* A value parsed from text. */
template <class Value, class Parse> Value parsed(const std::string &text, Parse parse)
{
    Value v{};
    ct_diag diag{};
    const ct_status bad = parse(text.c_str(), &v, &diag);
    check(bad, diag.message, diag.err);
    return v;
}

} // namespace detail

/** Any value in the text notation; of a failed one `error: ` and its sentence. */
inline std::string to_string(const ct_tuple &v)
{
    return detail::written([&](char *b, std::size_t n) { return ct_format_tuple(b, n, v); });
}
inline std::string to_string(const ct_layout &v)
{
    return detail::written([&](char *b, std::size_t n) { return ct_format_layout(b, n, v); });
}
inline std::string to_string(const ct_tiler &v)
{
    return detail::written([&](char *b, std::size_t n) { return ct_format_tiler(b, n, v); });
}
inline std::string to_string(const ct_tensor &v)
{
    return detail::written([&](char *b, std::size_t n) { return ct_format_tensor(b, n, v); });
}
inline std::string to_string(const ct_swizzle &v)
{
    return detail::written([&](char *b, std::size_t n) { return ct_format_swizzle(b, n, v); });
}
inline std::string to_string(const ct_copy_atom &v)
{
    return detail::written([&](char *b, std::size_t n) { return ct_format_copy_atom(b, n, v); });
}
inline std::string to_string(const ct_tiled_copy &v)
{
    return detail::written([&](char *b, std::size_t n) { return ct_format_tiled_copy(b, n, v); });
}
inline std::string to_string(const ct_mma_atom &v)
{
    return detail::written([&](char *b, std::size_t n) { return ct_format_mma_atom(b, n, v); });
}
inline std::string to_string(const ct_tiled_mma &v)
{
    return detail::written([&](char *b, std::size_t n) { return ct_format_tiled_mma(b, n, v); });
}
inline std::string to_string(const ct_value &v)
{
    return detail::written([&](char *b, std::size_t n) { return ct_format_value(b, n, &v); });
}

/** A tuple: tuple(5), tuple{4, 8}, tuple{{2, 4}, 8}; any is `_`. */
struct tuple : ct_tuple {
    tuple(const ct_tuple &t) : ct_tuple(checked(t)) {}
    tuple(int64_t v) : ct_tuple(ct_int(v)) {}
    tuple(std::initializer_list<tuple> modes) : ct_tuple(ct_tuple0())
    {
        for (const tuple &mode : modes) ct_tuple_push_next(this, &mode);
        checked<ct_tuple>(*this);
    }
    explicit tuple(const std::string &text) : ct_tuple(detail::parsed<ct_tuple>(text, ct_parse_tuple)) {}
    int rank() const { return ct_rank(*this); }
    tuple operator[](int mode) const { return ct_get(*this, mode); }
    bool ok() const { return err.status == CT_OK; }
    std::string message() const { return cutlet::message(err); }
};

/** `_`, which leaves a mode alone. */
inline tuple any() { return ct_any(); }

struct tensor;

/** A layout: layout({4, 8}, {8, 1}), layout({4, 8}), layout("(4,8):(8,1)"). */
struct layout : ct_layout {
    layout(const ct_layout &L) : ct_layout(checked(L)) {}
    explicit layout(const tuple &shape) : layout(ct_make_col_major(shape)) {}
    layout(const tuple &shape, const tuple &stride) : layout(ct_make_layout(shape, stride)) {}
    explicit layout(const std::string &text) : ct_layout(detail::parsed<ct_layout>(text, ct_parse_layout)) {}
    explicit layout(const char *text) : layout(std::string(text)) {}

    tuple shape() const { return ct_shape(*this); }
    tuple stride() const { return ct_stride(*this); }
    int rank() const { return ct_layout_rank(*this); }
    int64_t size() const { return ct_size(*this); }
    int64_t cosize() const { return ct_cosize(*this); }
    layout operator[](int mode) const { return ct_mode(*this, mode); }

    /** The offset of an index or of a coordinate: an integer, or a coordinate with basis strides. */
    tuple at(const tuple &coord) const { return ct_at(*this, coord); }
    /** The offset if it is an integer; CT_INVALID where it is another value, or one that failed. */
    int64_t operator()(const tuple &coord) const
    {
        const ct_tuple t = at(coord);
        return ct_is_integer(t) && t.err.status == CT_OK && t.basis[0] == CT_INTEGER ? t.value[0] : CT_INVALID;
    }
    template <class... More> int64_t operator()(const tuple &first, const More &...more) const
    {
        return (*this)(tuple{first, tuple(more)...});
    }
    inline tensor slice(const tuple &coord) const;
    /** R(c) = (*this)(B(c)). */
    layout compose(const ct_layout &B) const { return ct_composition(*this, B); }
    layout compose(const ct_tiler &B) const { return ct_composition_by(*this, B); }
    bool ok() const { return err.status == CT_OK; }
    std::string message() const { return cutlet::message(err); }
};

/** A tiler: tiler{4, any()}, tiler(tuple), tiler("<4:2,_>"), ct_tiler2(..). */
struct tiler : ct_tiler {
    tiler(const ct_tiler &t) : ct_tiler(checked(t)) {}
    explicit tiler(const tuple &shape) : tiler(ct_tiler_of_shape(shape)) {}
    tiler(std::initializer_list<tuple> tiles) : tiler(tuple(tiles)) {}
    explicit tiler(const std::string &text) : ct_tiler(detail::parsed<ct_tiler>(text, ct_parse_tiler)) {}
    explicit tiler(const char *text) : tiler(std::string(text)) {}
    bool ok() const { return ct_err(*static_cast<const ct_tiler *>(this)).status == CT_OK; }
};

/** A swizzle, which maps an offset to an offset. */
struct swizzle : ct_swizzle {
    swizzle(const ct_swizzle &s) : ct_swizzle(checked(s)) {}
    swizzle(int bits, int base, int shift) : swizzle(ct_make_swizzle(bits, base, shift)) {}
    int64_t operator()(int64_t offset) const { return ct_swizzle_apply(*this, offset); }
    inline tensor compose(const ct_layout &L) const;
};

/** A tensor: swizzle(offset + layout(c)). */
struct tensor : ct_tensor {
    tensor(const ct_tensor &t) : ct_tensor(checked(t)) {}
    explicit tensor(const std::string &text) : ct_tensor(detail::parsed<ct_tensor>(text, ct_parse_tensor)) {}
    explicit tensor(const char *text) : tensor(std::string(text)) {}
    int64_t size() const { return ct_tensor_size(*this); }
    tuple at(const tuple &coord) const { return ct_tensor_at(*this, coord); }
    tensor slice(const tuple &coord) const { return ct_tensor_slice(*this, coord); }
    bool ok() const { return ct_tensor::layout.err.status == CT_OK; }
};

inline tensor layout::slice(const tuple &coord) const { return ct_tensor_slice(ct_make_tensor(*this), coord); }
inline tensor swizzle::compose(const ct_layout &L) const { return ct_make_swizzled(*this, 0, L); }

/** Equal: shape, stride and nesting. */
inline bool operator==(const tuple &a, const tuple &b) { return ct_tuple_equal(a, b); }
inline bool operator!=(const tuple &a, const tuple &b) { return !(a == b); }
inline bool operator==(const layout &a, const layout &b) { return ct_layout_equal(a, b); }
inline bool operator!=(const layout &a, const layout &b) { return !(a == b); }
inline bool operator==(const tensor &a, const tensor &b) { return to_string(a) == to_string(b); }
inline bool operator!=(const tensor &a, const tensor &b) { return !(a == b); }
inline bool operator==(const swizzle &a, const swizzle &b)
{
    return a.bits == b.bits && a.base == b.base && a.shift == b.shift;
}
inline bool operator!=(const swizzle &a, const swizzle &b) { return !(a == b); }

/** a + b: the sum of two basis elements, as a stride. */
inline tuple operator+(const tuple &a, const tuple &b) { return ct_basis_add(a, b); }

/** A / B: the logical divide, by a layout or mode by mode. A * B: the logical product. */
inline layout operator/(const layout &A, const layout &B) { return ct_logical_divide(A, B); }
inline layout operator/(const layout &A, const tiler &B) { return ct_logical_divide_by(A, B); }
inline layout operator*(const layout &A, const layout &B) { return ct_logical_product(A, B); }
inline layout operator*(const layout &A, const tiler &B) { return ct_logical_product_by(A, B); }

inline std::ostream &operator<<(std::ostream &out, const tuple &v) { return out << to_string(v); }
inline std::ostream &operator<<(std::ostream &out, const layout &v) { return out << to_string(v); }
inline std::ostream &operator<<(std::ostream &out, const tiler &v) { return out << to_string(v); }
inline std::ostream &operator<<(std::ostream &out, const tensor &v) { return out << to_string(v); }
inline std::ostream &operator<<(std::ostream &out, const swizzle &v) { return out << to_string(v); }

/** The value of an expression, released with it. */
class value {
public:
    explicit value(const std::string &expression)
    {
        ct_diag diag{};
        status_ = ct_evaluate(expression.c_str(), &v_, &diag);
        if (status_ != CT_OK) message_ = diag.message;
        check(status_, diag.message, diag.err);
    }
    value(value &&other) noexcept : v_(other.v_), status_(other.status_), message_(std::move(other.message_))
    {
        other.v_.kind = CT_KIND_NONE;
    }
    value &operator=(value &&other) noexcept
    {
        std::swap(v_, other.v_);
        std::swap(status_, other.status_);
        message_.swap(other.message_);
        return *this;
    }
    ~value() { ct_value_free(&v_); }
    const ct_value &get() const { return v_; }
    bool ok() const { return status_ == CT_OK; }
    const std::string &message() const { return message_; }

private:
    ct_value v_{};
    ct_status status_ = CT_OK;
    std::string message_;
};

inline std::ostream &operator<<(std::ostream &out, const value &v) { return out << to_string(v.get()); }

/** How an expression gets its value, step by step; throws where an operation fails. */
inline std::string explain(const std::string &expression)
{
    char *text = nullptr;
    std::size_t size = 0;
    ct_diag diag{};
    std::FILE *const stream = open_memstream(&text, &size);
    if (!stream) return {};
    const ct_status bad = ct_explain(expression.c_str(), stream, &diag);
    std::fclose(stream);
    const std::string steps(text, size);
    std::free(text);
    check(bad, diag.message, diag.err);
    return steps;
}

/** A copy plan, destroyed with its owner. */
class plan {
public:
    explicit plan(const ct_plan_desc &desc, int effort = CT_EFFORT_ESTIMATE)
    {
        char line[CT_MESSAGE_BYTES] = "";
        const ct_status bad = ct_plan_create(&desc, effort, &plan_, line);
        if (bad != CT_OK) message_ = line;
        check(bad, line);
    }
    /** A plan from a layout to another, for elements of a type (CT_TYPE_...). */
    plan(const ct_layout &src, const ct_layout &dst, int type) : plan(between(src, dst, type)) {}
    plan(plan &&other) noexcept : plan_(other.plan_), message_(std::move(other.message_)) { other.plan_ = nullptr; }
    plan &operator=(plan &&other) noexcept
    {
        std::swap(plan_, other.plan_);
        message_.swap(other.message_);
        return *this;
    }
    ~plan() { ct_plan_destroy(plan_); }

    /** Copies; the status for those without exceptions. */
    ct_status run(void *dst, const void *src, void *stream = nullptr) const
    {
        char line[CT_MESSAGE_BYTES] = "";
        const ct_status bad = ct_plan_run(plan_, dst, src, stream, line);
        check(bad, line);
        return bad;
    }
    ct_plan_info info() const
    {
        ct_plan_info i{};
        ct_plan_info_of(plan_, &i);
        return i;
    }
    const ct_plan *get() const { return plan_; }
    bool ok() const { return plan_ != nullptr; }
    const std::string &message() const { return message_; }

private:
    static ct_plan_desc between(const ct_layout &src, const ct_layout &dst, int type)
    {
        ct_plan_desc d{};
        d.src = ct_plan_side_of(src, type);
        d.dst = ct_plan_side_of(dst, type);
        return d;
    }
    ct_plan *plan_ = nullptr;
    std::string message_;
};

/** A picture, freed with its owner. */
class picture {
public:
    explicit picture(const ct_layout &L) { take([&](char *m) { return ct_picture_layout(L, nullptr, m); }); }
    explicit picture(const ct_tensor &t) { take([&](char *m) { return ct_picture_tensor(t, nullptr, m); }); }
    explicit picture(const ct_tiled_copy &c) { take([&](char *m) { return ct_picture_tiled_copy(c, nullptr, m); }); }
    explicit picture(const ct_tiled_mma &t) { take([&](char *m) { return ct_picture_tiled_mma(t, nullptr, m); }); }
    picture(const ct_layout &tv, const ct_tuple &tile)
    {
        take([&](char *m) { return ct_picture_tv(tv, tile, nullptr, m); });
    }
    picture(picture &&other) noexcept : p_(other.p_), message_(std::move(other.message_)) { other.p_ = nullptr; }
    picture &operator=(picture &&other) noexcept
    {
        std::swap(p_, other.p_);
        message_.swap(other.message_);
        return *this;
    }
    ~picture() { ct_picture_free(p_); }

    /** The picture in a format, CT_DRAW_SVG .. */
    std::string render(int format = CT_DRAW_SVG) const
    {
        char line[CT_MESSAGE_BYTES] = "no picture";
        char *const text = p_ ? ct_picture_render(p_, format, nullptr, line) : nullptr;
        if (!text) check(CT_E_ARGUMENT, line);
        const std::string all = text ? text : "";
        std::free(text);
        return all;
    }
    bool ok() const { return p_ != nullptr; }
    const std::string &message() const { return message_; }

private:
    template <class Make> void take(Make make)
    {
        char line[CT_MESSAGE_BYTES] = "";
        p_ = make(line);
        if (p_) return;
        message_ = line;
        check(CT_E_ARGUMENT, line);
    }
    ct_picture *p_ = nullptr;
    std::string message_;
};

} // namespace cutlet

/** Values as keys of unordered containers. */
template <> struct std::hash<cutlet::layout> {
    std::size_t operator()(const cutlet::layout &L) const
    {
        return std::hash<std::string>{}(cutlet::to_string(L));
    }
};

#endif

/* The playground's table of requests, and those of one expression. */
#include "play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/cutlet.h>
#include <cutlet/host/check.h>
#include <cutlet/host/explain.h>
#include "../cutlet/common/cli.h"
#include "draw/from_value.h"
#include "text/cute.h"
#include "text/evaluate.h"
#include "text/reader.h"

/* The kind and the text of the expression `text`, and in whose notation it is; -1 where its error is in the answer,
   1 where it has no single value: `?`. */
static int evaluate(const ct_play_request *r, ct_play_answer *a, ct_value *v)
{
    ct_diag diag;
    char *for_all;
    const char *const given = ct_play_field(r, "text"), *const text = given ? given : "";
    const char *const notation = ct_notation_of(text, strlen(text));
    const ct_status bad = ct_evaluate_for_all(text, v, &for_all, &diag);
    if (notation) ct_play_text(a, "notation", notation);
    if (!bad) {
        const int is_open = for_all != NULL;
        ct_play_text(a, "kind", ct_kind_name(v));
        if (is_open) ct_play_text(a, "text", for_all);
        else ct_play_value(a, "text", v);
        if (is_open) ct_value_free(v);
        free(for_all);
        return is_open;
    }
    ct_value_free(v);
    ct_play_wrong_at(a, "text", text, &diag);
    return -1;
}

static void eval(const ct_play_request *r, ct_play_answer *a)
{
    ct_value v;
    if (evaluate(r, a, &v) == 0) ct_value_free(&v);
}

/* The steps of an expression; where an operation failed, those up to it. */
static void explain(const ct_play_request *r, ct_play_answer *a)
{
    ct_diag diag;
    char *steps = NULL;
    size_t size = 0;
    const char *const text = ct_play_field(r, "text");
    FILE *const stream = open_memstream(&steps, &size);
    if (!stream) {
        a->out.failed = 1;
        return;
    }
    ct_explain(text ? text : "", stream, &diag);
    fclose(stream);
    ct_play_text(a, "explain", steps ? steps : "");
    free(steps);
}

static void put_picture(ct_play_answer *a, const ct_value *v, const ct_tuple *tile)
{
    const ct_draw_options options = {.truncate = 1}; /* as `cutlet draw` */
    char why[CT_MESSAGE_BYTES] = "";
    ct_picture *const picture = ct_picture_value(v, tile, &options, why);
    ct_play_picture(a, "svg", picture, why);
}

/* The picture of `text`, a thread-value layout where `tile` is given. */
static void draw(const ct_play_request *r, ct_play_answer *a)
{
    ct_value v;
    ct_tuple tile;
    if (ct_play_shape(r, a, "tile", &tile) || ct_play_operand(r, a, "text", &v)) return;
    put_picture(a, &v, ct_play_field(r, "tile") ? &tile : NULL);
    ct_value_free(&v);
}

static void put_facts(ct_play_answer *a, const ct_value *v)
{
    const ct_layout *const L = v->kind == CT_KIND_LAYOUT   ? &v->as.layout
                               : v->kind == CT_KIND_TENSOR ? &v->as.tensor.layout
                                                           : NULL;
    if (!L) return;
    ct_play_int(a, "rank", ct_layout_rank(*L));
    ct_play_int(a, "depth", ct_layout_depth(*L));
    ct_play_int(a, "size", ct_size(*L));
    const int64_t cosize = v->kind == CT_KIND_LAYOUT ? ct_cosize(*L) : CT_INVALID;
    if (cosize != CT_INVALID) ct_play_int(a, "cosize", cosize);
}

/* The picture of a result. A shape is drawn as its compact layout, as `cutlet draw` does. */
static void put_shown(const ct_play_request *r, ct_play_answer *a, ct_value *v)
{
    ct_tuple tile;
    if (ct_play_shape(r, a, "tile", &tile)) return;
    if (v->kind == CT_KIND_TUPLE && !ct_is_integer(v->as.tuple)) {
        const ct_layout L = ct_make_col_major(v->as.tuple);
        if (ct_is_valid(L)) ct_value_of_tensor(v, ct_make_tensor(L));
    }
    put_picture(a, v, ct_play_field(r, "tile") ? &tile : NULL);
}

/* All about one expression. */
static void show(const ct_play_request *r, ct_play_answer *a)
{
    ct_value v;
    explain(r, a);
    if (evaluate(r, a, &v)) return;
    put_facts(a, &v);
    ct_play_open(a, "code", '{');
    ct_play_code(a, &v);
    ct_play_close(a, '}');
    put_shown(r, a, &v);
    ct_value_free(&v);
}

/* A line of a file of assertions. */
static void check(const ct_play_request *r, ct_play_answer *a)
{
    static const char *const words[] = {"blank", "passed", "failed", "bad"};
    ct_verdict v;
    const char *const line = ct_play_field(r, "text");
    const int outcome = ct_check_line(line ? line : "", line ? strlen(line) : 0, &v);
    ct_play_text(a, "outcome", words[outcome]);
    ct_play_text(a, "got", v.got);
    ct_play_text(a, "expected", v.expected);
    if (outcome == CT_CHECK_BAD) ct_play_wrong_at(a, "text", line, &v.diag);
    ct_verdict_free(&v);
}

static const struct {
    const char *name;
    void (*answer)(const ct_play_request *r, ct_play_answer *a);
} requests[] = {
    {"access", ct_play_access},
    {"check", check},
    {"choices", ct_play_choices},
    {"command", ct_play_command},
    {"draw", draw},
    {"eval", eval},
    {"explain", explain},
    {"operations", ct_play_operations},
    {"show", show},
    {"suggest", ct_play_suggest},
    {"verify", ct_play_verify},
};

const char *ct_play(const char *request)
{
    static ct_play_answer a;
    const ct_play_request r = {request + strlen(request) + 1};
    int found = 0;
    ct_builder_free(&a.out);
    memset(&a, 0, sizeof a);
    ct_play_open(&a, NULL, '{');
    for (size_t i = 0; i < sizeof requests / sizeof *requests; ++i) {
        if (strcmp(requests[i].name, request) != 0) continue;
        requests[i].answer(&r, &a);
        found = 1;
    }
    if (!found) ct_play_wrong(&a, "", "there is no such request");
    ct_play_close(&a, '}');
    return a.out.failed ? "{\"error\":{\"field\":\"\",\"message\":\"out of memory\"}}" : a.out.text;
}

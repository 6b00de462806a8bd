/* A program that uses cutlet from outside: the algebra and a kernel from the headers, text and the CPU grid from
 * the library. */
#include <stdio.h>
#include <string.h>

#include <cutlet/cutlet.h>
#include <cutlet/device/elementwise/elementwise.h>
#include <cutlet/host/eval.h>
#include <cutlet/host/grid.h>
#include <cutlet/host/text.h>

CT_ELEMENTWISE(twice, float, 2 * x, (float, x))

/* Whether the kernel is right on the grid. */
static int kernel_runs(void)
{
    float src[100], dst[100];
    for (int i = 0; i < 100; ++i) src[i] = (float)i;
    const ct_layout line = ct_layout1(100, 1);
    const ct_operand from = ct_make_operand(src, line, 4), to = ct_make_operand(dst, line, 4);
    const ct_elementwise_args args = ct_make_elementwise(&from, 1, to, CT_ELEMENTWISE_BYTES);
    const ct_grid_buffer buffers[] = {{"src", src, sizeof src, 0, 0},
                                      {"dst", dst, sizeof dst, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    const ct_dim3 grid = {(uint32_t)args.blocks, 1, 1}, block = {CT_ELEMENTWISE_THREADS, 1, 1};
    ct_grid_report report = {0};
    int right = !ct_grid_launch(&twice, grid, block, 0, &args, sizeof args, &options, &report);
    if (!right) fprintf(stderr, "%s\n", report.message);
    ct_grid_report_free(&report);
    for (int i = 0; i < 100; ++i) right &= dst[i] == 2 * src[i];
    return right;
}

int main(void)
{
    char text[CT_TEXT_BYTES];
    ct_layout A, B;
    if (ct_parse_layout("(6,2):(8,2)", &A, NULL) || ct_parse_layout("(4,3):(3,1)", &B, NULL))
        return 1;
    ct_format_layout(text, sizeof text, ct_composition(A, B));
    if (strcmp(text, "((2,2),3):((24,2),8)") != 0) return 2;

    ct_value v;
    if (ct_evaluate("size((4,8))", &v, NULL)) return 3;
    ct_format_value(text, sizeof text, &v);
    ct_value_free(&v);
    if (strcmp(text, "32") != 0) return 4;
    if (!kernel_runs()) return 5;

    printf("cutlet %s, %d leaves\n", CT_VERSION_STRING, CT_MAX_LEAVES);
    return 0;
}

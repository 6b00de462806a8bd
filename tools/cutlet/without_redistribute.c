/* What stands for `cutlet redistribute` in a build without it. */
#include "common/commands.h"

int ct_cmd_redistribute(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    ct_cli_complain("redistribute",
                    "this cutlet was built without redistribution (-Dredistribute)");
    return CT_EXIT_BAD;
}

int ct_cmd_draw_redistribute(int argc, char **argv) { return ct_cmd_redistribute(argc, argv); }

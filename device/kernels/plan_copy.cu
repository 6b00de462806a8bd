/* The kernels of copy plans that no compiler was asked for: they are told the plan at their launch. */
#include "../box.h"
#include "../index_copy.h"
#include "../window.h"

CT_KERNEL_RESIDENT(ct_box_any, 512, 2, ct_box_any_args, args)
{
    CT_SHARED_DYNAMIC(unsigned char, tile);
    ct_box(&args.plan, 1, &args.at, tile);
}

CT_KERNEL_THREADS(ct_window_any, 256, ct_window_any_args, args)
{
    ct_window(&args.plan, &args.at);
}

CT_KERNEL_THREADS(ct_index_any, 256, ct_index_any_args, args)
{
    ct_index_copy(&args.plan, &args.at);
}

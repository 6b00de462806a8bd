/* One access of a warp, of either memory. */
#include "from_access.h"

ct_picture *ct_picture_access(const ct_access_rules *rules, const ct_access *access,
                              const ct_draw_options *options, char message[CT_MESSAGE_BYTES])
{
    return ct_access_is_global(access->kind) ? ct_picture_sectors(rules, access, options, message)
                                             : ct_picture_banks(rules, access, options, message);
}

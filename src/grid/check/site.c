/* The site of an access as text. */
#include "check.h"

#include <stdio.h>
#include <string.h>

const char *ct_grid_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

ct_site_text ct_grid_site_text(const ct_grid_site *site)
{
    ct_site_text s;
    const char *const file = ct_grid_file_name(site->file);
    if (site->inside && !site->function)
        snprintf(s.text, sizeof s.text, "%s:%d (%s:%d)", file, site->line,
                 ct_grid_file_name(site->inside->file), site->inside->line);
    else if (site->inside)
        snprintf(s.text, sizeof s.text, "%s:%d (in %s, %s:%d)", file, site->line, site->function,
                 ct_grid_file_name(site->inside->file), site->inside->line);
    else snprintf(s.text, sizeof s.text, "%s:%d", file, site->line);
    return s;
}

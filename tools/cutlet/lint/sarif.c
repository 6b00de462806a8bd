/* Findings as SARIF 2.1.0 (OASIS), the form that code hosts and editors read. */
#include <string.h>

#include <cutlet/algebra/base.h>
#include "lint.h"

static json_t *rule_json(int rule)
{
    return json_pack("{s:s, s:{s:s}, s:{s:s}}", "id", ct_lint_rules[rule].name, "shortDescription",
                     "text", ct_lint_rules[rule].help, "defaultConfiguration", "level", "warning");
}

/* A path as a reference of a URI: bytes that one does not have as %20. */
static json_t *uri_json(const char *path)
{
    static const char
        hex[] = "0123456789ABCDEF",
        kept[] = "-._~/!$&'()*+,;=@ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    char uri[3 * 4096 + 1];
    size_t n = 0;
    for (; *path && n + 4 < sizeof uri; ++path) {
        if (strchr(kept, *path)) uri[n++] = *path;
        else {
            uri[n++] = '%';
            uri[n++] = hex[(unsigned char)*path >> 4];
            uri[n++] = hex[*path & 15];
        }
    }
    uri[n] = 0;
    return json_string(uri);
}

static json_t *result_json(const ct_lint_file *f, const ct_lint_finding *found)
{
    char text[2 * CT_LINT_TEXT + 4];
    int line, column, end_line, end_column;
    ct_lint_place(f, found->at, &line, &column);
    ct_lint_place(f, found->at + found->length, &end_line, &end_column);
    snprintf(text, sizeof text, "%s%s%s", found->text, found->layout[0] ? ": " : "", found->layout);
    return json_pack("{s:s, s:i, s:s, s:{s:s}, s:[{s:{s:{s:o}, s:{s:i, s:i, s:i, s:i}}}]}",
                     "ruleId", ct_lint_rules[found->rule].name, "ruleIndex", found->rule, "level",
                     "warning", "message", "text", text, "locations", "physicalLocation",
                     "artifactLocation", "uri", uri_json(f->path), "region", "startLine", line,
                     "startColumn", column, "endLine", end_line, "endColumn", end_column);
}

json_t *ct_lint_sarif(const ct_lint_file *file, int files)
{
    json_t *const rules = json_array(), *const results = json_array();
    for (int i = 0; i < CT_LINT_RULES; ++i) json_array_append_new(rules, rule_json(i));
    for (int i = 0; i < files; ++i)
        for (size_t k = 0; k < file[i].findings; ++k)
            json_array_append_new(results, result_json(&file[i], &file[i].finding[k]));
    return json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:s, s:o}]}", "$schema",
                     "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                     "tool", "driver", "name", "cutlet", "version", CT_VERSION_STRING, "rules",
                     rules, "columnKind", "unicodeCodePoints", "results", results);
}

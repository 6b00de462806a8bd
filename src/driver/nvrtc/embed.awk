# Writes the C file that holds the headers for kernels that are compiled at run time:
# awk -v out=FILE -f embed.awk HEADERS. A header's name is its path after include/, src/ or
# stand_in/, and of device/ that of an include: `cutlet/device/arch/tma.h`, `plan/kernels/box.h`, `stdint.h`. NVRTC knows a header by its whole name
# alone, whoever includes it, so includes are written with that name. Comments, indents and blanks that
# separate nothing are left out; line breaks stay, so that messages give the lines of the files.

function name_of(path)
{
    sub(/^(.*\/)?include\//, "", path)
    sub(/^(.*\/)?device\//, "cutlet/device/", path)
    sub(/^(.*\/)?stand_in\//, "", path)
    sub(/^(.*\/)?src\//, "", path)
    return path
}

# The name behind `folder` and a path relative to it: x/../y is y.
function joined(folder, path,    whole)
{
    whole = folder path
    while (sub(/[^\/]+\/\.\.\//, "", whole)) ;
    return whole
}

# Code outside strings without the blanks around some of its marks; in a directive they may count.
function squeezed(code,    i, mark)
{
    for (i = 1; i <= 7 && !directive; i++) {
        mark = substr(",;={}()", i, 1)
        gsub(" *[" mark "] *", mark, code)
    }
    return code
}

# The line without comments; `inside` one that began earlier.
function bare(line,    kept, token)
{
    kept = ""
    directive = line ~ /^[ \t]*#/
    while (line != "") {
        if (inside) {
            if (!match(line, /\*\//)) return kept
            inside = 0
            line = substr(line, RSTART + 2)
            kept = kept " "
            continue
        }
        if (!match(line, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\*|\/\//)) return kept squeezed(line)
        token = substr(line, RSTART, RLENGTH)
        kept = kept squeezed(substr(line, 1, RSTART - 1))
        line = substr(line, RSTART + RLENGTH)
        if (token == "//") return kept
        if (token == "/*") inside = 1
        else kept = kept token
    }
    return kept
}

# An include with the name of the header that is meant, where it is one of ours.
function resolved(line,    written, whole)
{
    if (!match(line, /"[^"]+"/)) return line
    written = substr(line, RSTART + 1, RLENGTH - 2)
    whole = joined(folder, written)
    return "#include \"" (whole in known ? whole : written) "\""
}

# The line as it stands in a string of C.
function quoted(line,    parts, part, i, whole)
{
    gsub(/\\/, "&&", line)
    parts = split(line, part, "\"")
    whole = part[1]
    for (i = 2; i <= parts; i++) whole = whole "\\\"" part[i]
    return whole
}

BEGIN {
    for (i = 1; i < ARGC; i++) known[name_of(ARGV[i])] = 1
    print "#include \"driver/nvrtc/embedded.h\"" > out
}

FNR == 1 {
    if (count) print "    ;" > out
    name[++count] = name_of(FILENAME)
    folder = name[count]
    if (!sub(/[^\/]*$/, "", folder)) folder = ""
    inside = 0
    print "\nstatic const char text_" count "[] =" > out
}

{
    line = bare($0)
    gsub(/^[ \t]+|[ \t]+$/, "", line)
    sub(/ +\\$/, " \\", line)
    if (line ~ /^#[ \t]*include/) line = resolved(line)
    print "    \"" quoted(line) "\\n\"" > out
}

END {
    print "    ;\n\nconst ct_embedded_header ct_embedded[] = {" > out
    for (i = 1; i <= count; i++) print "    {\"" name[i] "\", text_" i "}," > out
    print "};\n\nconst int ct_embedded_count = " count ";" > out
    print "_Static_assert(" count " <= CT_EMBEDDED_MAX, \"more headers than that\");" > out
}

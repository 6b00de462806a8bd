# Reads public headers and writes, as a table in C, the header of each function and type that they define.

function put(name) {
    if (name in seen) return
    seen[name] = 1
    header = FILENAME
    sub(/.*include\//, "", header)
    printf "    {\"%s\", \"%s\"},\n", name, header
}

BEGIN { print "#include \"text/operations.h\"\n\nconst ct_function_header ct_function_headers[] = {" }

/^(CT_FN|[a-z]).*[ *]ct_[a-z0-9_]+\(/ {
    match($0, /[ *]ct_[a-z0-9_]+\(/)
    put(substr($0, RSTART + 1, RLENGTH - 2))
}
/^} ct_[a-z0-9_]+;/ { put(substr($2, 1, length($2) - 1)) }

END { print "    {0},\n};" }

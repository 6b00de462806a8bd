# Reads public headers and writes the linker's version script for the functions and variables that
# they declare, and the symbol of its capacity. The command uses more of the library: those names
# have a version of their own, which is of one build, as no header is installed for them.
#   -v leaves=N     the capacity
#   -v version=V    the version of the interface, for the script
#   -v list=1       writes the bare names instead

# Comments, preprocessor lines and inline functions declare nothing.
{
    while (match($0, /\/\*([^*]|\*+[^*\/])*\*+\//))
        $0 = substr($0, 1, RSTART - 1) " " substr($0, RSTART + RLENGTH)
    if (inside) {
        if (!match($0, /\*\//)) next
        $0 = substr($0, RSTART + 2)
        inside = 0
    }
    if (match($0, /\/\*/)) {
        $0 = substr($0, 1, RSTART - 1)
        inside = 1
    }
    sub(/\/\/.*/, "")
}
continued || /^[ \t]*#/ {
    continued = /\\$/
    next
}
/^(static|typedef|template|struct|extern "C" __device__|CT_FN|CT_DEVICE)/ || /^[ \t]*[{}]/ { next }

# A prototype: a type, then the name before its parenthesis, at the left margin.
/^[a-z].*[ *]ct_[a-z0-9_]+ *\(/ {
    match($0, /ct_[a-z0-9_]+ *\(/)
    name = substr($0, RSTART, RLENGTH)
    sub(/ *\($/, "", name)
    found[++count] = name
    next
}
# A variable, at the left margin.
/^[a-z].*[ *]ct_[a-z0-9_]+;/ {
    match($0, /ct_[a-z0-9_]+;/)
    found[++count] = substr($0, RSTART, RLENGTH - 1)
}

END {
    found[++count] = "ct_library_of_" leaves "_leaves_is_made_by_meson_Dcapacity_" leaves
    if (list) {
        for (i = 1; i <= count; i++) print found[i]
    } else {
        print "CUTLET_" version " {\nglobal:"
        for (i = 1; i <= count; i++) print "    " found[i] ";"
        print "};\nCUTLET_PRIVATE {\nglobal:\n    ct_*;\nlocal:\n    *;\n};"
    }
}

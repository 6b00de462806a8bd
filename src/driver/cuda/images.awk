# Writes the C file that holds compiled kernels: awk -v out=FILE -v toolkit=13.0 -v table=NAME -f
# images.awk IMAGES, where an image is a path like x/tiled_copy.sm_90.fatbin, or
# x/tiled_copy.sm_100.ptx.fatbin for one that has PTX too, or x/wgmma.sm_90a.fatbin for one of that
# architecture alone, and NAME is that of the table in C: ct_cuda_inside unless told. With no image
# the table is empty. It writes the file itself, so that it is newer than every image.

BEGIN {
    if (table == "") table = "ct_cuda_inside"
    print "#include <cutlet/host/cuda.h>\n" > out
    print "extern const ct_cuda_images " table ";\n" > out
    for (i = 1; i < ARGC; i++) {
        base = ARGV[i]
        sub(/.*\//, "", base)
        split(base, part, ".")
        source[i] = part[1]
        arch[i] = substr(part[2], 4)
        alone[i] = sub(/a$/, "", arch[i])
        ptx[i] = part[3] == "ptx"
        print "__asm__(\".pushsection .rodata\\n.balign 64\\n\"" > out
        print "        \".hidden " table "_" i "\\n.globl " table "_" i "\\n\"" > out
        print "        \"" table "_" i ":\\n.incbin \\\"" ARGV[i] "\\\"\\n.popsection\");" > out
        print "extern const unsigned char " table "_" i "[]" > out
        print "    __attribute__((visibility(\"hidden\")));\n" > out
    }
    print "static const ct_cuda_image images[] = {" > out
    for (i = 1; i < ARGC; i++)
        print "    {\"" source[i] "\", " arch[i] ", " ptx[i] ", " table "_" i ", " alone[i] "}," \
            > out
    print "};\n" > out
    split(toolkit, version, ".")
    print "const ct_cuda_images " table " = {" version[1] * 1000 + version[2] * 10 ", " \
        ARGC - 1 ", images};" > out
}

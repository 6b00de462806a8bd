#!/bin/bash -eu
# Builds every fuzz target as OSS-Fuzz asks: by $CC and $CFLAGS, with $LIB_FUZZING_ENGINE, into $OUT, each
# with its seeds and, where it has one, its dictionary. $SRC/cutlet is the source.

source=$SRC/cutlet
work=${WORK:-$(mktemp -d)}/cutlet
rm -rf "$work"
mkdir -p "$work"

include="-I$source/include -I$source/device -I$source/src -I$source -I$source/tests/support"
flags="$CFLAGS -std=gnu11 $include"

# The header of each function, as the build makes it.
awk -f "$source/src/text/headers.awk" "$source"/include/cutlet/{algebra,copy,mma,host}/*.h \
    > "$work/function_headers.c"

# What tests/fuzz/meson.build lists; each target links what it needs of it.
for file in "$source"/src/{base,text,io,convert,redistribute,ptx}/*.c "$source"/src/grid/*/*.c "$source"/src/plan/{.,front,cpu,copy}/*.c "$source"/src/model/*.c \
            "$source"/tools/cutlet/access/lanes.c \
            "$source"/tools/cutlet/sass/{access,code,expect,names,read_ptx,read_sass}.c \
            "$source"/tests/fuzz/plan_backends.c "$work/function_headers.c"; do
    printf '%s\0' "$file"
done | xargs -0 -P "$(nproc)" -I{} sh -c \
    '"$0" $1 -c "$2" -o "$3/$(printf %s "$2" | tr / _).o"' "$CC" "$flags" {} "$work"
ar crs "$work/cutlet.a" "$work"/*.o

for target in "$source"/tests/fuzz/fuzz_*.c; do
    name=$(basename "$target" .c)
    $CC $flags -c "$target" -o "$work/$name.o"
    ${CXX:-$CC} ${CXXFLAGS:-$CFLAGS} "$work/$name.o" "$work/cutlet.a" $LIB_FUZZING_ENGINE -lm -lpthread \
        -o "$OUT/$name"
    words=$source/tests/fuzz/${name#fuzz_}.dict
    [ "$name" = fuzz_text ] && words=$source/tests/fuzz/eval.dict
    if [ -e "$words" ]; then cp "$words" "$OUT/$name.dict"; fi
    printf '[libfuzzer]\nmax_len = 400\ntimeout = 60\n' > "$OUT/$name.options"
done
python3 "$source/tests/fuzz/seeds.py" "$OUT" --zip "$source"/tests/*/*.check "$source"/examples/*.check

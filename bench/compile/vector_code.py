#!/usr/bin/env python3
"""The loads and stores of global memory, and the registers, of kernels in cubins: those of examples/vector.

    for f in examples/vector/*.cu; do
        nvcc -std=c++17 -arch=sm_90 -cubin -Iinclude -Idevice -o FOLDER/$(basename $f .cu).cubin $f; done
    vector_code.py CUTLET FOLDER/*.cubin >bench/data/vector_code.tsv

CUTLET is the command, whose `sass` needs cuobjdump and nvdisasm in PATH. 128:4 is 4 instructions of 128 bits a thread, and one in
a loop counts once.
"""

import json
import subprocess
import sys


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    print("kernel\tregisters\tstack_bytes\tlocal\tLDG\tSTG")
    for cubin in sys.argv[2:]:
        found = json.loads(subprocess.run([sys.argv[1], "sass", cubin, "--json"], check=True, text=True,
                                          capture_output=True).stdout)
        for kernel in found["kernels"]:
            def of(name, kernel=kernel):
                some = sorted((a for a in kernel["accesses"] if a["access"] == name), key=lambda a: -a["bits"])
                return " ".join(f"{a['bits']}:{a['count']}" for a in some)
            print(kernel["name"], kernel["registers"], kernel["stack_bytes"], (of("LDL") + " " + of("STL")).strip() or "none",
                  of("LDG"), of("STG"), sep="\t")


if __name__ == "__main__":
    main()

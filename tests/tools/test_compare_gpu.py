#!/usr/bin/env python3
"""The GPU's part of `cutlet compare`, with a fake driver (fake_cuda.c): its launches take 2 ms,
its memcpy 3.

    test_compare_gpu.py CUTLET FAKE_DRIVER
"""

import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

# What a build without nvcc, or for other architectures, says.
NO_KERNELS = ("no GPU: built without nvcc, so it contains no kernels", "no GPU: no kernels for Fake 40,")
SMALL = ("--rows", "64", "--cols", "96", "--order", "row")


def main(report, cutlet, fake):
    def compare(*arguments, **environment):
        env = {**os.environ, "CUTLET_CUDA_DRIVER": fake, "FAKE_CUDA_TILED": "1", **environment}
        if "CUTLET_NO_GPU" not in environment:
            env.pop("CUTLET_NO_GPU", None)
        done = subprocess.run([cutlet, "compare", *arguments], capture_output=True, text=True,
                              errors="replace", env=env, timeout=100)
        return done.returncode, done.stdout, done.stderr

    def expect(name, got, status, errors, *parts):
        """Output with these parts, in this order; this many error lines."""
        lines = [line for line in got[2].splitlines() if line.startswith("cutlet compare: ")]
        at, ok = 0, got[0] == status and len(lines) == errors
        for part in parts:
            at = got[1].find(part, at)
            ok = ok and at >= 0
        report.check(name, ok, f"status {got[0]}\n{got[1]}{got[2]}\nexpected {status}, {parts}")

    def results(got):
        whole = json.loads(got[1])
        return whole["gpu"], {r["variant"]: r for r in whole["results"]}

    # No GPU is used: one line, the last one, says why; no column has figures.
    for name, arguments, env, reason in (
            ("turned off by an option", ("--no-gpu",), {}, "no GPU: --no-gpu"),
            ("turned off by the environment", (), {"CUTLET_NO_GPU": "1"},
             "no GPU: CUTLET_NO_GPU is set")):
        got = compare(*SMALL, *arguments, **env)
        expect(name, got, 0, 0, " conflicts\n", f"\n{reason}\n")
        report.check(f"{name}: no figures", "GB/s" not in got[1] and got[1].endswith(f"{reason}\n"), got[1])
        gpu, all_results = results(compare(*SMALL, *arguments, "--json", **env))
        report.check(f"{name}, as JSON",
                     gpu == {"device": None, "reason": reason} and
                     all(r["gb_s"] is None and r["of_memcpy"] is None for r in all_results.values()), gpu)

    got = compare(*SMALL, "--gpu-mib", "1")
    last = got[1].splitlines()[-1]
    if last.startswith(NO_KERNELS):
        expect("built without its kernels", got, 0, 0, " conflicts\n")
        report.skip("figures", last)
        return

    # Figures: 2 MiB in 2 ms are 1 GB/s.
    expect("figures", got, 0, 0, " conflicts  GB/s /memcpy\n", " 1  best ", "         0     1   1.500\n",
           " rows8-async ", "     1   1.500\n", "\nGB/s: read and written by Fake 40, copying 1 MiB")
    report.check("the cache is told", "Matrix and copy take 2 MiB, the L2 cache 50: caches decide, not memory." in
                 " ".join(got[1].split()), got[1])
    report.check("the table is at most 110 wide", max(map(len, got[1].splitlines())) <= 110, got[1])
    report.check("no reason where all is well", "no GPU" not in got[1], got[1])
    gpu, all_results = results(compare(*SMALL, "--gpu-mib", "1", "--json"))
    bytes_moved = 2 * (192 * -(-(1 << 20) // 192))  # whole lines of 96 elements of 2 bytes
    report.check("figures as JSON",
                 gpu["device"] == "Fake 40" and gpu["reason"] is None and gpu["runs"] >= 20 and
                 gpu["random_bits"] is True and 2 * gpu["matrix_bytes"] == bytes_moved and
                 all(abs(r["gb_s"] - bytes_moved / 2e6) < 1e-4 and abs(r["of_memcpy"] - 1.5) < 1e-4 and
                     r["gpu_verified"] is True for r in all_results.values()), (gpu, all_results))

    with tempfile.TemporaryDirectory() as folder:
        # A file is measured itself, or with --gpu-mib lines as long as its own.
        path, pictures = os.path.join(folder, "m.npy"), os.path.join(folder, "pictures")
        head = b"{'descr': '<f4', 'fortran_order': True, 'shape': (70, 45), }"
        with open(path, "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head) + 1) + head + b"\n" +
                       bytes(i * 7 % 251 for i in range(70 * 45 * 4)))
        got = compare("--input", path, "--svg", pictures)
        expect("a file", got, 0, 0, "GB/s: read and written by Fake 40, copying this matrix;")
        with open(os.path.join(pictures, "index.html")) as file:
            page = file.read()
        report.check("the page", "<th>GB/s</th><th>/ memcpy</th>" in page and
                     page.count("<td>1.500</td>") == 17 and "copying this matrix" in page, page)
        gpu, _ = results(compare("--input", path, "--json"))
        report.check("a file as JSON", gpu["matrix_bytes"] == 70 * 45 * 4 and gpu["random_bits"] is False, gpu)
        gpu, _ = results(compare("--input", path, "--json", "--order", "col", "--gpu-mib", "2"))
        report.check("a file's lines", gpu["matrix_bytes"] == 280 * -(-(2 << 20) // 280), gpu)
        compare("--input", path, "--svg", pictures, "--no-gpu")
        with open(os.path.join(pictures, "index.html")) as file:
            page = file.read()
        report.check("the page without", "GB/s" not in page and "<p class=\"soft\">no GPU: --no-gpu</p>" in page,
                     page)

    # A wrong copy: a line that names it and the byte, status 1; the others have their figures.
    got = compare(*SMALL, "--gpu-mib", "1", FAKE_CUDA_WRONG="rows4_row")
    expect("a wrong copy", got, 1, 1, " best ", "   1.500\n", " rows4 ", " wrong       -\n", " cols4 ", "   1.500\n")
    report.check("a wrong copy is named",
                 "cutlet compare: rows4: on the GPU byte 191 of the row-major copy is " in got[2], got[2])
    got = compare(*SMALL, "--gpu-mib", "1", "--json", FAKE_CUDA_WRONG="rows4_row")
    _, all_results = results(got)
    report.check("a wrong copy as JSON", got[0] == 1 and all_results["rows4"]["gpu_verified"] is False and
                 all_results["rows4"]["gb_s"] is None and all_results["rows8"]["gpu_verified"] is True,
                 all_results)

    # A device that refuses: at once, or when some is measured already; the table is there.
    got = compare(*SMALL, FAKE_CUDA_FAIL="cuMemAlloc_v2 2")
    expect("no memory on the device", got, 0, 0, " best ", " conflicts: ",
           "\nno GPU: cuMemAlloc(536871488 bytes): out of memory (CUDA_ERROR_OUT_OF_MEMORY)\n")
    report.check("no memory on the device: no figures", "GB/s" not in got[1], got[1])
    got = compare(*SMALL, "--gpu-mib", "1", FAKE_CUDA_FAIL="cuLaunchKernel 57")
    expect("a launch that fails", got, 0, 0, " best ", "   1.500\n", " rows8-async ", "     -       -\n",
           "\nno GPU for the rest: rows8-async: cuLaunchKernel(ct_copy_rows8_async_row_2,")
    for bad in ("0", "65537", "many"):
        got = compare(*SMALL, "--gpu-mib", bad)
        expect(f"--gpu-mib {bad}", got, 2, 1)
        report.check(f"--gpu-mib {bad} is explained", "--gpu-mib takes 1 to 65536" in got[2], got[2])


tap.main(main)

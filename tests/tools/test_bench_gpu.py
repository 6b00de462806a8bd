#!/usr/bin/env python3
"""`cutlet-bench width` and `vector` on a fake driver (fake_cuda.c), whose launches take 2 ms and its memcpy 3.

    test_bench_gpu.py CUTLET-BENCH FAKE_DRIVER FAKE_CUB
"""

import os
import pty
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap
from bench_run import KIB, MIB, WIDTHS, Bench, is_close

# What a build without nvcc, or for other architectures, says.
NO_KERNELS = ("no GPU: built without nvcc, so it contains no kernels",
              "no GPU: no kernels for Fake 40,")


def test_width_on_gpu(b):
    run = b.tsv("width", "--to", "256K", "--runs", "3")
    b.check("the device", run["device"] == "Fake 40" and run["l2_bytes"] == 50 * MIB and
            abs(run["peak_gb_s"] - 2 * 3.201e9 * 6144 / 8 / 1e9) < 0.1 and
            "reason" not in run and run["runs"] == 3, run)
    b.expect("regions", b.run("width", "--to", "256K", "--runs", "1"), 0, " 1 KiB ", " latency\n",
             "     latency ", "  1 KiB to 256 KiB, at best\n", "       cache ", "  none\n", "      memory ",
             "  none\n", "1.5 times", "50 MiB")
    b.check("sizes and widths", [(r["bytes"], r["width"]) for r in run["results"]] ==
            [(KIB << k, w) for k in range(9) for w in (*WIDTHS, 0)], run["results"])
    b.check("figures", all(
        r["verified"] is True and r["compared_by"] == "host" and r["launches"] == 100 and
        abs(r["seconds"] - (2e-3 if r["width"] else 3e-3)) < 1e-9 and
        is_close(r["gb_s"], 2e-9 * r["bytes"] / r["seconds"]) for r in run["results"]),
        run["results"])
    for form in "one", "loop":
        run = b.tsv("width", "--to", "4K", "--runs", "1", "--form", form)
        b.check(f"--form {form}", run["form"] == form and len(run["results"]) == 3 * 6 and
                all(r["verified"] is True for r in run["results"]), run)
        got = b.run("width", "--to", "1K", "--runs", "1", "--form", form,
                    FAKE_CUDA_WRONG=f"width_{form}_8")
        b.check(f"a wrong copy of --form {form}", got[0] == 1 and
                got[2].startswith(f"cutlet-bench width: width_{form}_8: byte "), got)
    got = b.run("width", "--from", "64M", "--to", "128M", "--runs", "2", "--widths", "16")
    b.expect("arrays of either kind", got, 0,
             "on the host, above by a kernel on the device, which first had to find",
             "256 bytes on either side")
    run = b.tsv("width", "--from", "64M", "--to", "128M", "--runs", "2", "--widths", "16")
    b.check("who compared", [(r["compared_by"], r["launches"]) for r in run["results"]] ==
            [("host", 4)] * 2 + [("device", 2)] * 2, run)
    for size in ("4K", "65M"):
        got = b.run("width", "--from", size, "--to", size, "--runs", "1",
                    FAKE_CUDA_WRONG="width_copy_4")
        b.expect(f"a wrong copy of {size}", got, 1, "16 bytes", " wrong ",
                 " memory\n" if size == "65M" else " cache\n")
        b.check(f"a wrong copy of {size} is named", len(got[2].splitlines()) == 1 and
                got[2].startswith("cutlet-bench width: width_copy_4: byte ") and ", expected " in got[2],
                got[2])
    run = b.tsv("width", "--to", "1K", "--runs", "1", FAKE_CUDA_WRONG="width_copy_4")
    b.check("a wrong copy in a row",
            [r["verified"] for r in run["results"]] == [True, True, False, True, True, True] and
            run["results"][2]["gb_s"] is None, run)
    got = b.run("width", "--from", "65M", "--to", "65M", FAKE_CUDA_WRONG="bench_wrong_words")
    b.refuse("a kernel that compares wrongly", got, "bench_wrong_words")
    b.expect("what fits", b.run("width", "--from", "4K", "--to", "64K", "--runs", "1",
                                FAKE_CUDA_MEMORY=str(40 * KIB)),
             0, " 16 KiB ", "Left out: arrays above 16 KiB up to 64 KiB", "40 KiB")
    b.refuse("nothing fits", b.run("width", "--from", "64K", FAKE_CUDA_MEMORY=str(40 * KIB)),
             "64 KiB", "40 KiB")
    b.refuse("out of memory", b.run("width", "--to", "4K", FAKE_CUDA_FAIL="cuMemAlloc_v2"),
             "do not fit")
    b.refuse("a launch that fails", b.run("width", "--to", "4K", FAKE_CUDA_FAIL="cuLaunchKernel 9"),
             "cuLaunchKernel(width_copy_")
    got = b.run("width", "--to", "4K", "--runs", "1", FAKE_CUDA_FAIL="cuLaunchKernel 5000")
    b.expect("a launch that fails later", got, 1, " 1 KiB ", " cache\n")
    b.check("what is measured until then",
            got[2].startswith("cutlet-bench width: cuLaunchKernel(width_copy_") and
            " 2 KiB " not in got[1], got)
    b.refuse("32 bytes", b.run("width", "--widths", "32"), "accesses of 32 bytes", "sm_100",
             "sm_90")
    b.expect("32 bytes and 16", b.run("width", "--widths", "32,16", "--to", "1K", "--runs", "1"), 0,
             "16 bytes",
             "Left out: accesses of 32 bytes")
    b.expect("a peak that is not told", b.run("width", "--to", "1K", "--runs", "1",
                                              FAKE_CUDA_FAIL="cuDeviceGetAttribute 5"), 0,
                                              "memory 40 GiB, CUDA 13.0)")


def test_vector_on_gpu(b):
    run = b.tsv("vector", "--mib", "1", "--runs", "2", "--only",
                 "copy,gelu,half-relu,sum,read,layer-norm-large")
    rows = {(r["group"], r["kernel"]): r for r in run["results"]}
    b.check("kernels", len(rows) == 3 + 2 + 3 + 2 + 1 + 6 and
            all(r["verified"] is True for r in rows.values()), run)
    # A launch takes 2 ms, a sum two of them; the driver's copy 3.
    b.check("figures of kernels", all(
        abs(r["seconds"] - (4e-3 if g == "sum" else 2e-3)) < 1e-9 and
        abs(r["memcpy_seconds"] - 3e-3) < 1e-9 and
        abs(r["of_memcpy"] - (0.375 if g == "sum" else 0.75 if g == "read" else 1.5)) < 1e-6 and
        is_close(r["gb_s"], 1e-9 * r["moved_bytes"] / r["seconds"]) and
        is_close(r["of_peak"], r["gb_s"] / run["peak_gb_s"]) and
        r["moved_bytes"] == (1 if g in ("sum", "read") else 2) * MIB and r["sets"] == 64 and
        r["launches"] == 100
        for (g, _), r in rows.items()), run)
    b.check("speedups", rows["half-relu", "relu_half"]["speedup"] == 1 and
            is_close(rows["half-relu", "relu_half"]["claimed_speedup"], 2) and
            is_close(rows["copy", "width_copy_16"]["claimed_speedup"], 1870 / 1420) and
            rows["copy", "width_copy_4"]["speedup"] is None and
            rows["layer-norm-large", "layer_norm_passes_half_scalar"]["speedup"] is None and
            rows["layer-norm-large", "layer_norm_half"]["speedup"] == 1, rows)
    got = b.run("vector", "--mib", "1", "--runs", "2", "--only", "copy,gelu,sum,layer-norm-large")
    b.expect("the table of kernels", got, 0, "Kernels by width of access, on Fake 40",
             "claimed   cl. x    GB/s       x   /peak",
             "width_copy_16 ", "    1870    1.32    1.05    1.00   0.000   1.500\n",
             "Layer norm, 64 rows of 4096",
             "GELU within", "96.6 % of the peak, which is of 1935 GB/s", "91.7 %", "537 MB",
             "3781 GB/s", "4971 GB/s", "1074 MB", "3728 GB/s", "4925 GB/s")
    for elements, bytes_each, us, rate in (
            (64, 8, 142, 3781), (64, 8, 108, 4971), (256, 4, 288, 3728), (256, 4, 218, 4925)):
        b.check(f"{rate} GB/s is what was claimed to take {us} us",
                round(elements * MIB * bytes_each / us / 1e3) == rate)
    shift = ("vector", "--mib", "1", "--runs", "1", "--only", "relu,sum", "--shift", "12")
    shifted = b.tsv(*shift)
    b.check("a shift", shifted["shift_bytes"] == 12 and len(shifted["results"]) == 4 and
            all(r["verified"] is True for r in shifted["results"]), shifted)
    b.expect("a shift in the table's head", b.run(*shift), 0,
             "CUDA 13.0), sources of copies, ReLU and GELU 12 bytes past an aligned address",
             "memcpy of the same array from an aligned address, timed")
    got = b.run("vector", "--mib", "1", "--runs", "1", "--only", "gelu,sum",
                FAKE_CUDA_WRONG="gelu_float")
    b.expect("a wrong kernel", got, 1, "gelu_float_scalar", " wrong ", "sum_float ", " 0.375\n")
    b.check("a wrong kernel is named",
            [line.split(": result ")[0] for line in got[2].splitlines()] ==
            ["cutlet-bench vector: gelu_float_scalar", "cutlet-bench vector: gelu_float"], got[2])
    got = b.run("vector", "--mib", "1", "--runs", "1", "--only", "sum", FAKE_CUDA_WRONG="sum_float")
    b.check("a wrong sum", got[0] == 1 and "sum_float_scalar: result 0 is " in got[2], got)
    got = b.run("vector", "--mib", "1", "--runs", "1", "--only", "read",
                FAKE_CUDA_WRONG="read_float")
    b.check("a wrong sum of a piece", got[0] == 1 and "read_float: result 0 is " in got[2], got)
    b.refuse("arrays that do not fit", b.run("vector", "--mib", "65536", "--only", "relu"),
             "relu_float",
             "its arrays take 128 GiB", "40 GiB")
    got = b.run("vector", "--mib", "1", "--runs", "1", "--only", "relu",
                FAKE_CUDA_FAIL="cuLaunchKernel 1000")
    b.expect("a kernel's launch that fails later", got, 1, "relu_float_scalar ", " 1.500\n")
    b.check("the kernel until then", "relu_float " not in got[1] and
            got[2].startswith("cutlet-bench vector: cuLaunchKernel(relu_float, "), got)
    b.refuse("no library of CUB", b.run("vector", "--only", "sum", "--cub", "/none.so"), "--cub",
             "/none.so")
    b.refuse("a library without CUB's sum", b.run("vector", "--only", "sum", "--cub", b.fake),
             "cub_sum")
    b.refuse("a kernel's launch that fails", b.run("vector", "--mib", "1", "--only", "relu",
                                                   FAKE_CUDA_FAIL="cuLaunchKernel 1"),
                                                   "cuLaunchKernel(relu_float_scalar")


def test_cub(b, cub):
    """A library with CUB's sum and its version, 300102."""
    sums = ("vector", "--mib", "1", "--runs", "2", "--only", "sum", "--cub", cub)
    run = b.tsv(*sums)
    b.check("CUB's sum", run.get("cub") == "3.1.2" and
            [(r["kernel"], r["verified"]) for r in run["results"]] ==
            [("sum_float_scalar", True), ("sum_float", True), ("cub_sum", True)], run)
    b.expect("the table of CUB", b.run(*sums), 0, "cub_sum ", "CUB's DeviceReduce",
             "cub_sum: that of CUB 3.1.2.")
    run = b.tsv("vector", "--mib", "1", "--runs", "1", "--only", "relu", "--cub", cub)
    b.check("no version where its sum is not asked for", "cub" not in run, run)


def test_progress(b):
    """A terminal on stderr is told what is running, and nothing stays there."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "CUTLET_CUDA_DRIVER": b.fake}
    env.pop("CUTLET_NO_GPU", None)
    subprocess.run([b.program, "width", "--to", "2K", "--runs", "1"],
                   stdout=subprocess.DEVNULL,
                   stderr=theirs, env=env, timeout=100, check=True)
    os.close(theirs)
    said = os.read(ours, 1 << 16).decode()
    os.close(ours)
    b.check("progress", "\r\033[K1 of 2: 1 KiB, " in said and "2 of 2: 2 KiB, " in said and
            said.endswith("\r\033[K") and
            "\n" not in said, repr(said))


def main():
    if len(sys.argv) != 4:
        tap.die(__doc__)
    b = Bench(*sys.argv[1:3])
    last = b.run("width", "--to", "1K", "--runs", "1")[1].splitlines()[-1]
    if last.startswith(NO_KERNELS):
        b.report.skip("on a GPU", last)
        return b.report.finish()
    test_width_on_gpu(b)
    test_vector_on_gpu(b)
    test_cub(b, sys.argv[3])
    test_progress(b)
    return b.report.finish()


if __name__ == "__main__":
    sys.exit(main())

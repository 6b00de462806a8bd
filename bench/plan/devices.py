"""Where copies are measured: a CUDA device, or the CPU in its place to try the scripts without one.
Both give memory as PyTorch tensors of bytes, and times in seconds."""

import ctypes
import os
import platform
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import events
import library as plans

# What is launched beside a plan: nothing, with the two pointers that a copy has.
EMPTY_KERNEL = b""".version 7.0
.target sm_70
.address_size 64
.visible .entry empty(.param .u64 dst, .param .u64 src) { ret; }
"""


class Driver:
    """The functions of the CUDA driver that PyTorch does not give."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.cuda.cuMemcpyDtoDAsync_v2.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_size_t,
                                                   ctypes.c_void_p]

    def call(self, name, *arguments):
        """Calls a function, which has to succeed."""
        status = getattr(self.cuda, name)(*arguments)
        if status:
            raise plans.Failure(f"{name}: CUDA error {status}")

    def make_context(self):
        """The context that PyTorch and cutlet use, without PyTorch."""
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def empty_kernel(self):
        """A kernel that does nothing."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), EMPTY_KERNEL)
        self.call("cuModuleGetFunction", ctypes.byref(function), module, b"empty")
        return function

    def version(self):
        """Of the driver's package, else of its interface."""
        try:
            said = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                                  capture_output=True, text=True, timeout=20, check=True)
            return said.stdout.split("\n")[0].strip()
        except (OSError, subprocess.SubprocessError):
            number = ctypes.c_int()
            self.call("cuDriverGetVersion", ctypes.byref(number))
            return f"CUDA {number.value // 1000}.{number.value % 1000 // 10}"


class Cuda:
    """The first CUDA device. All work goes to one stream, timed by events."""

    backend = plans.CUDA
    memcpy_is = "cuMemcpyDtoDAsync"

    def __init__(self, _library):
        import torch
        self.torch, self.device = torch, torch.device("cuda:0")
        torch.cuda.init()
        self.queue = torch.cuda.Stream()
        torch.cuda.set_stream(self.queue)
        self.stream = self.queue.cuda_stream
        self.driver = Driver()
        self.launch = ctypes.cast(self.driver.cuda.cuLaunchKernel, ctypes.c_void_p)

    def about(self):
        """What the figures depend on."""
        torch = self.torch
        return {"device": torch.cuda.get_device_name(0), "driver": self.driver.version(),
                "torch": torch.__version__, "torch_cuda": torch.version.cuda,
                "memory_mib": torch.cuda.get_device_properties(0).total_memory >> 20}

    def wait(self):
        """Until all work is done."""
        self.torch.cuda.synchronize()

    def release(self):
        """Gives memory back that nobody uses."""
        self.torch.cuda.empty_cache()

    def memcpy(self, dst, src, size):
        """The driver's own copy."""
        self.driver.call("cuMemcpyDtoDAsync_v2", dst, src, size, self.stream)

    def empty_kernel(self):
        """A kernel that does nothing, for self.launch."""
        return self.driver.empty_kernel()

    def in_turn(self, ways, rounds):
        """The seconds of each way in every round but the first. A round is queued behind a kernel
        that waits, so that no way waits for the script."""
        times = {name: [] for name in ways}
        order = list(ways)
        for number in range(rounds + 1):
            marks = []
            self.torch.cuda._sleep(2_000_000)
            for name in order:
                marks.append((name, events.mark(self.torch, ways[name])))
            self.wait()
            for name, marked in marks if number else []:
                times[name].append(events.seconds(marked))
            order = order[1:] + order[:1]
        return times


class Dry:
    """The CPU in the place of a device: the same steps."""

    backend = plans.CPU
    memcpy_is = "memcpy of one thread"

    def __init__(self, library):
        import torch
        self.torch, self.device, self.stream = torch, torch.device("cpu"), None
        self.library = library
        self.launch = ctypes.cast(library.bench_no_launch, ctypes.c_void_p)

    def about(self):
        """What the figures depend on."""
        return {"device": f"none: {platform.machine()}, {os.cpu_count()} processors", "driver": "none",
                "torch": self.torch.__version__}

    def wait(self):
        """Nothing is ever pending."""

    def release(self):
        """There is nothing to give back."""

    def memcpy(self, dst, src, size):
        """The C library's."""
        self.library.bench_memcpy(dst, src, size)

    def empty_kernel(self):
        """Nothing, for a launch that does nothing."""

    def in_turn(self, ways, rounds):
        """The seconds of each way in every round but the first."""
        times = {name: [] for name in ways}
        for number in range(rounds + 1):
            for name, way in ways.items():
                before = time.perf_counter()
                way()
                if number:
                    times[name].append(time.perf_counter() - before)
        return times

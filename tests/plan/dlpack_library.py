"""The functions of libcutlet that take and give DLPack tensors, by ctypes."""

import ctypes

import dlpack_capsules as capsules


class Library:
    def __init__(self, path):
        self.functions = ctypes.CDLL(path)
        self.message = ctypes.create_string_buffer(320)

    def call(self, name, *arguments):
        """The status and the message."""
        self.message.value = b""
        status = getattr(self.functions, name)(*arguments, self.message)
        return status, self.message.value.decode()

    def tensor(self, capsule, writes):
        """The address of the tensor in a capsule; or None and why not."""
        found = capsules.opened(capsule)
        if isinstance(found, capsules.Managed):
            return ctypes.byref(found.tensor), ""
        at = ctypes.c_void_p()
        status, message = self.call("ct_plan_open_dlpack", ctypes.byref(found), writes, ctypes.byref(at))
        return (None, message) if status else (at, "")

    def copy(self, dst, src, **version):
        """dst[...] = src; the status and the message."""
        held = [array.__dlpack__(**version) for array in (dst, src)]  # which keep the tensors alive
        (to, why), (from_, _) = self.tensor(held[0], 1), self.tensor(held[1], 0)
        return self.call("ct_plan_copy_dlpack", to, from_) if to else (1, why)

    def take(self, dst, src, **version):
        """The same, after which the source is released."""
        held, source = dst.__dlpack__(), capsules.taken(src.__dlpack__(**version))
        name = "ct_plan_take_versioned_dlpack" if version else "ct_plan_take_dlpack"
        return self.call(name, self.tensor(held, 1)[0], ctypes.byref(source))

    def side(self, array):
        """The side of an array and the pointer of it."""
        held = array.__dlpack__()
        side, at = ctypes.create_string_buffer(1 << 16), ctypes.c_void_p()
        status, message = self.call("ct_plan_side_from_dlpack", self.tensor(held, 0)[0], side,
                                    ctypes.byref(at))
        if status:
            raise ValueError(message)
        return side, at

    def give(self, array, release, flags=None):
        """The array as a tensor of ours to give away; release is called when it is not needed any
        more."""
        side, at = self.side(array)
        given = ctypes.POINTER(capsules.Managed if flags is None else capsules.Versioned)()
        if flags is None:
            status, message = self.call("ct_plan_give_dlpack", side, at, None, release, ctypes.byref(given))
        else:
            status, message = self.call("ct_plan_give_versioned_dlpack", side, at, ctypes.c_uint64(flags),
                                        None, release, ctypes.byref(given))
        if status:
            raise ValueError(message)
        return given.contents


class Releases:
    """Counts what is released."""

    def __init__(self):
        self.count = 0
        self.function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.one_more)

    def one_more(self, _):
        self.count += 1

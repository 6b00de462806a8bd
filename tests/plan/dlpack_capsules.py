"""DLPack capsules by ctypes: the structures of the specification, capsules opened, made and counted."""

import ctypes


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p),
                ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p))]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)), ("flags", ctypes.c_uint64),
                ("tensor", Tensor)]


KINDS = {b"dltensor": Managed, b"dltensor_versioned": Versioned}
READ_ONLY = 1


def function(name, result, *arguments):
    found = getattr(ctypes.pythonapi, name)
    found.restype, found.argtypes = result, arguments
    return found


get_pointer = function("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
get_name = function("PyCapsule_GetName", ctypes.c_char_p, ctypes.py_object)
set_name = function("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
make = function("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)


USED = {name: b"used_" + name for name in KINDS}  # kept: a capsule does not copy its name


def opened(capsule):
    """The structure in a capsule."""
    name = get_name(capsule)
    return KINDS[name].from_address(get_pointer(capsule, name))


def taken(capsule):
    """The same, which is the caller's to delete from now on."""
    name = get_name(capsule)
    found = opened(capsule)
    set_name(capsule, USED[name])
    return found


class Exported:
    """What from_dlpack asks for, with a structure of ours in the capsule."""

    def __init__(self, managed, device=1):
        self.managed, self.device, self.capsule = managed, device, None

    def __dlpack__(self, **_):
        name = next(name for name, kind in KINDS.items() if isinstance(self.managed, kind))
        self.capsule = make(ctypes.addressof(self.managed), name, None)
        return self.capsule

    def __dlpack_device__(self):
        return (self.device, 0)

    def end(self):
        """What a producer does with a capsule that nobody has taken."""
        if self.capsule is None or get_name(self.capsule) in KINDS:
            self.managed.deleter(ctypes.addressof(self.managed))

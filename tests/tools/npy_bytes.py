"""NumPy files without NumPy: headers and bytes, for the tests of commands."""

import struct


def header(descr, shape, fortran=False):
    text = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {tuple(shape)}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def read(path):
    """The header's text and the bytes after it."""
    with open(path, "rb") as file:
        whole = file.read()
    end = 10 + struct.unpack("<H", whole[8:10])[0]
    return whole[10:end].decode(), whole[end:]


def write(path, descr, shape, data, fortran=False):
    with open(path, "wb") as file:
        file.write(header(descr, shape, fortran) + data)

#!/usr/bin/env python3
"""`cutlet relayout FILE.npz:NAME`: members of archives, and what is refused.

    test_npz.py CUTLET
"""

import io
import os
import random
import struct
import sys
import tempfile
import warnings
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import npy_bytes
import tap


def array(seed, count=12):
    dice = random.Random(seed)
    return npy_bytes.header("<u4", (3, count // 3)) + struct.pack(f"<{count}I", *(
        dice.getrandbits(32) for _ in range(count)))


def archive(members, comment=b"", zip64=False, method=zipfile.ZIP_STORED, name="npy"):
    """An archive as numpy.savez writes it; method: of its last member."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as file:
        for i, (member, data) in enumerate(members.items()):
            info = zipfile.ZipInfo(f"{member}.{name}")
            info.compress_type = method if i + 1 == len(members) else zipfile.ZIP_STORED
            with file.open(info, "w", force_zip64=zip64) as out:
                out.write(data)
        file.comment = comment
    return whole.getvalue()


def dice_sample(count):
    """Bits of this many bytes: all, or some of them."""
    return range(8 * count) if tap.ALL else random.Random(5).sample(range(8 * count), 12)


def main(report, cutlet):
    cutlet = os.path.abspath(cutlet)
    os.chdir(tempfile.mkdtemp())
    os.environ["CUTLET_NO_GPU"] = "1"
    members = {name: array(i) for i, name in enumerate(("weights", "bias", "a b"))}

    def run(whole, member):
        with open("A.npz", "wb") as file:
            file.write(whole)
        if os.path.exists("B.npy"):
            os.remove("B.npy")
        return tap.run([cutlet, "relayout", f"A.npz:{member}", "B.npy", "--to", "c"])

    def refused(name, whole, member, part):
        status, out = run(whole, member)
        report.check(f"refused: {name}", status == 2 and part in out and out.count("\n") == 1 and
                     not os.path.exists("B.npy"), f"{status} {out}")

    for zip64 in (False, True):
        for comment in (b"", b"PK\5\6 and more", b"x" * 65535):
            whole = archive(members, comment, zip64)
            for name, data in members.items():
                for asked in (name, name + ".npy"):
                    status, out = run(whole, asked)
                    right = status == 0
                    if right:
                        with open("B.npy", "rb") as file:
                            right = npy_bytes.read("B.npy")[1] == data[-48:] and file.read(6) == data[:6]
                    report.check(f"{asked}, 64 bits {zip64}, a comment of {len(comment)}", right, f"{status} {out}")
    plain = archive(members)
    refused("no such member", plain, "weight", "A.npz: no member `weight`; it has weights, bias, a b")
    status, out = tap.run([cutlet, "relayout", "A.npz", "B.npy", "--to", "c"])
    report.check("refused: no member is named", status == 2 and
                 "A.npz: an archive of arrays; name one, as in A.npz:NAME; it has weights, bias, a b" in out, out)
    for output in ("A.npz:new", "new.npz"):
        status, out = tap.run([cutlet, "relayout", "A.npz:bias", output, "--to", "c"])
        report.check(f"refused: {output}", status == 2 and f"{output}: archives are read, not written" in out and
                     not os.path.exists(output), out)
    refused("a compressed member", archive(members, method=zipfile.ZIP_DEFLATED), "a b",
            "A.npz: member a b is compressed; numpy.savez writes members that are not")
    refused("no archive", array(1), "x", "A.npz: not a .npz file: it does not end as a ZIP archive")
    refused("an empty file", b"", "x", "A.npz: not a .npz file")
    refused("an empty archive", archive({}), "x", "no member `x`; it has none")
    refused("a member that is no array", archive({"x": b"text"}), "x", "A.npz:x: not a NumPy file")
    refused("a member that is cut", archive({"x": array(1)[:-4]}), "x", "44 bytes of data, but its header declares 48")
    two, zeros = array(7), bytes(20)

    def gives(name, whole, member, data):
        status, out = run(whole, member)
        report.check(name, status == 0 and npy_bytes.read("B.npy")[1] == data[-48:], f"{status} {out}")

    gives("the first of several arrays", archive({"x": two + array(8)}), "x", two)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # zipfile's, of a name twice
        for names, right in ((("x.npy", "y.npy", "x.npy"), 2), (("x", "x.npy"), 0), (("x.npy", "x"), 1), (("x", "x.npy", "x"), 2)):
            whole = io.BytesIO()
            with zipfile.ZipFile(whole, "w") as file:
                for seed, member in enumerate(names):
                    file.writestr(member, array(seed))
            gives(f"x of {names} is as NumPy's", whole.getvalue(), "x", array(right))
    for zip64 in (False, True):
        for front in (b"PK\3\4", b"#!/bin/sh\n" * 9, zeros):
            whole = front + archive(members, b"comment", zip64)
            for member, data in members.items():
                gives(f"{member} after {len(front)} bytes, 64 bits {zip64}", whole, member, data)
        gives(f"bytes after the archive, 64 bits {zip64}", archive(members, zip64=zip64) + zeros, "bias", members["bias"])
    for length in (12, 13, 16384, 16391, 50000):  # pieces of the checksum: tails of all lengths
        large = npy_bytes.header("|u1", (length,)) + random.Random(length).randbytes(length)
        status, out = run(archive({"x": large}), "x")
        report.check(f"the checksum of {length} bytes", status == 0, out)
    at = plain.index(members["bias"])
    for k in dice_sample(len(members["bias"])):
        flipped = bytearray(plain)
        flipped[at + k // 8] ^= 1 << k % 8
        refused(f"bit {k} flipped", bytes(flipped), "bias", "A.npz: member bias is damaged: its CRC-32 is ")
    refused("a member with more after it", archive({"x": array(1) + b"more"}), "x",
            "52 bytes of data, but its header declares 48")
    end = plain.index(b"PK\1\2")
    refused("a damaged directory", plain[:end] + b"XX" + plain[end + 2:], "bias", "A.npz: its directory is damaged at member 0")
    refused("a member elsewhere", plain.replace(b"PK\3\4", b"PK\3\5"), "bias", "A.npz: member bias is not where the directory says")
    tail = plain.rindex(b"PK\5\6")
    for name, at, field, part in (("a large directory", tail + 12, 0x7fffffff, ": a directory of 2147483647 bytes; at most 67108864 are read"),
                                  ("a directory beyond the file", tail + 16, 0x7fffffff, ": truncated: its directory is not whole"),
                                  ("a member beyond the file", end + 20, 0x7fffffff, ": truncated: member weights is not whole"),
                                  ("another CRC-32", end + 16, 5, ", written was 00000005")):
        refused(name, plain[:at] + struct.pack("<I", field) + plain[at + 4:], "weights", part)
    encrypted = bytearray(plain)
    encrypted[end + 8] |= 1
    refused("an encrypted member", bytes(encrypted), "weights", "member weights is encrypted")
    os.remove("A.npz")
    status, out = tap.run([cutlet, "relayout", "A.npz:x", "B.npy", "--to", "c"])
    report.check("refused: no file", status == 2 and "A.npz: cannot be read: No such file" in out, out)

    # Damage anywhere never does more than to be refused.
    dice, ends = random.Random(1), set()
    for _ in range(400):
        damaged = bytearray(plain)
        for _ in range(dice.randint(1, 4)):
            damaged[dice.randrange(len(plain) // 2, len(plain))] = dice.choice((0, 255, dice.getrandbits(8)))
        status, out = run(bytes(damaged[:dice.choice((len(plain), dice.randrange(len(plain))))]), "bias")
        if status == 0 and npy_bytes.read("B.npy")[1] != members["bias"][-48:]:
            status = "other elements"
        ends.add(status if status != 2 or out.count("\n") == 1 else f"{status} {out}")
    report.check("400 damaged archives", ends == {0, 2}, ends)


tap.main(main)

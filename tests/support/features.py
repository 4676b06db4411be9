# SPDX-License-Identifier: MIT
"""What the program under test was built with."""
import subprocess


def reads_gzip(program):
    """Whether it has zlib; without it a compressed file is refused at once."""
    run = subprocess.run([program, "decode", "-"], input=b"\x1f\x8b", capture_output=True, check=False)
    return b"[gzip-absent]" not in run.stderr


def reads_xml(program):
    """Whether it has expat; without it a file of names is refused at once."""
    run = subprocess.run([program, "disasm", "-t", "afuc:a630", "--registers", __file__, "-"], input=bytes(4), capture_output=True,
                         check=False)
    return b"[xml-absent]" not in run.stderr


def writes_png(program):
    """Whether it has libpng; without it no picture of that kind is made, wherever it would be written."""
    run = subprocess.run([program, "run", "-t", "a3xx", "-", "--image", "1x1", "/dev/null/none.png"], input=b"@out(r0.x) c\nend\n",
                         capture_output=True, check=False)
    return b"[cli-no-pictures]" not in run.stderr

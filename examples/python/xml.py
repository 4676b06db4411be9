# SPDX-License-Identifier: MIT
"""Register names from an XML file."""
import gpucode

FILE = b"""<database xmlns="http://nouveau.freedesktop.org/">
<domain name="A6XX"><reg32 offset="0x1234" name="MY_REGISTER"/></domain></database>"""

print(f"0x1234 is {gpucode.Xml(FILE, 'afuc:a630', 'mine.xml').name_of(gpucode.Space.GPU, 0x1234)}")

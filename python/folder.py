# SPDX-License-Identifier: MIT
"""The folder in which Python looks for modules of a prefix: folder.py PREFIX."""

import sys
import sysconfig

prefix = sys.argv[1]
# Debian's Python has folders of its own for its packages and for what is built by hand.
own = {"/usr": "deb_system", "/usr/local": "posix_local"}.get(prefix)
scheme = own if own in sysconfig.get_scheme_names() else "posix_prefix"
base = "/usr" if scheme == "posix_local" else prefix
print(sysconfig.get_path("platlib", scheme, vars={"base": base, "platbase": base}))

# SPDX-License-Identifier: MIT
# Made at build time from the C headers: all their functions and constants.
from typing import Any

ffi: Any
lib: Any

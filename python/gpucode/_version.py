# SPDX-License-Identifier: MIT
"""The version, which is the library's."""

__version__ = "0.3.0"

# SPDX-License-Identifier: MIT
from setuptools import setup

setup(cffi_modules=["gpucode_build.py:ffibuilder"])

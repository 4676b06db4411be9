# SPDX-License-Identifier: MIT
from setuptools import setup

# cffi keeps to the part of Python's interface that all later versions have: one wheel is for all of them
setup(cffi_modules=["gpucode_build.py:ffibuilder"], options={"bdist_wheel": {"py_limited_api": "cp39"}})

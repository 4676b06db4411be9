#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lets the vectors' image generator make images in every layout, level and some seeds, to be round-tripped.

    synth_images.py TEST_ISA_AFUC_TEXT [SEEDS]
"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../../support'))
import synthetic

synth = synthetic.generator()
seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 3 if os.environ.get('GPUCODE_LONG_TESTS') else 1
with tempfile.TemporaryDirectory() as directory:
    names = [path + '.fw' for path, _ in synthetic.images(synth, directory, seeds, 1000)]
    # Prefixes of some of the small ones.
    small = [name for name in names if os.path.getsize(name) < 16000]
    status = subprocess.run([sys.argv[1], 'images', '--', '--prefixes'] + small[::7]).returncode
    sys.exit(subprocess.run([sys.argv[1], 'images', '--'] + names).returncode or status)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lets the vectors' image generator make images in every layout and compares them with their maps.

    synth_images.py TEST_IMAGE
"""
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../support'))
import synthetic

synth = synthetic.generator()
with tempfile.TemporaryDirectory() as directory:
    for path, layout_map in synthetic.images(synth, directory, 4, 0):
        with open(path + '.json', 'w') as file:
            json.dump(layout_map, file)
    sys.exit(subprocess.run([sys.argv[1], 'vectors', '--', directory]).returncode)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lets the vectors' image generator make images in every layout and compares them with their maps.

    synth_images.py IMAGE_VECTORS_PROGRAM

Skipped (exit status 77) where the vectors are not there.
"""
import importlib.util
import json
import os
import struct
import subprocess
import sys
import tempfile

root = os.environ.get('GPUCODE_SOURCE_ROOT', '.')
vectors = os.environ.get('GPUCODE_VECTORS', os.path.join(root, '..', 'shared', 'vectors'))
generator = os.path.join(vectors, 'afuc', 'synth.py')
if not os.path.exists(generator):
    print('skipped: no vectors')
    sys.exit(77)

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location('synth', generator)
synth = importlib.util.module_from_spec(spec)
spec.loader.exec_module(synth)

with tempfile.TemporaryDirectory() as directory:
    for layout in synth.LAYOUTS:
        for level in ('clean', 'real', 'nasty'):
            for seed in range(1, 5):
                # One seed in realistic size, the others small to be quick.
                words = None if seed == 1 and level == 'nasty' else (1600, 3200)
                image, layout_map = synth.build(layout, seed, level, seed % 2 == 0, words)
                name = os.path.join(directory, '%s-%d-%s' % (layout, seed, level))
                with open(name + '.fw', 'wb') as file:
                    file.write(struct.pack('<%dI' % (len(image) + 1), 0, *image))
                with open(name + '.json', 'w') as file:
                    json.dump(layout_map, file)
    sys.exit(subprocess.run([sys.argv[1], directory]).returncode)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lets the vectors' image generator make images in every layout, level and some seeds, to be round-tripped.

    synth_images.py AFUC_IMAGES_PROGRAM [SEEDS]

Skipped (exit status 77) where the vectors are not there.
"""
import importlib.util
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

seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
with tempfile.TemporaryDirectory() as directory:
    names = []
    for seed in range(1, seeds + 1):
        for level in ('clean', 'real', 'nasty'):
            for layout in synth.LAYOUTS:
                # One seed in realistic size, the others small to be quick.
                words = None if seed == 1 and level == 'nasty' else (1600, 3200)
                try:
                    image, _ = synth.build(layout, 1000 + seed, level, seed % 2 == 0, words)
                except IndexError:  # the generator cannot make every image that small
                    image, _ = synth.build(layout, 1000 + seed, level, seed % 2 == 0)
                name = os.path.join(directory, '%s-%d-%s.fw' % (layout, seed, level))
                names.append(name)
                with open(name, 'wb') as file:
                    file.write(struct.pack('<%dI' % (len(image) + 1), 0, *image))
    # Prefixes of some of the small ones.
    small = [name for name in names if os.path.getsize(name) < 16000]
    status = subprocess.run([sys.argv[1], '--prefixes'] + small[::7]).returncode
    sys.exit(subprocess.run([sys.argv[1]] + names).returncode or status)

# SPDX-License-Identifier: MIT
"""Images made by the vectors' generator, for the tests that read them."""
import importlib.util
import os
import struct
import sys


def generator():
    """The generator's module; ends the test as skipped (exit status 77) where the vectors are not there."""
    root = os.environ.get('GPUCODE_SOURCE_ROOT', '.')
    vectors = os.environ.get('GPUCODE_VECTORS', os.path.join(root, '..', 'shared', 'vectors'))
    path = os.path.join(vectors, 'afuc', 'synth.py')
    if not os.path.exists(path):
        print('skipped: no vectors')
        sys.exit(77)
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location('synth', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def images(synth, directory, seeds, first_seed):
    """Writes an image of every layout, level and seed; yields their paths without `.fw`, and their maps."""
    for seed in range(1, seeds + 1):
        for level in ('clean', 'real', 'nasty'):
            for layout in synth.LAYOUTS:
                # One seed in realistic size, the others small to be quick.
                words = None if seed == 1 and level == 'nasty' else (1600, 3200)
                try:
                    image, layout_map = synth.build(layout, first_seed + seed, level, seed % 2 == 0, words)
                except IndexError:  # the generator cannot make every image that small
                    image, layout_map = synth.build(layout, first_seed + seed, level, seed % 2 == 0)
                path = os.path.join(directory, '%s-%d-%s' % (layout, seed, level))
                with open(path + '.fw', 'wb') as file:
                    file.write(struct.pack('<%dI' % (len(image) + 1), 0, *image))
                yield path, layout_map

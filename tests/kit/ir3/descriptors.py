# SPDX-License-Identifier: MIT
# For descriptors.session: descriptors of textures and images of a6xx and a7xx, 64 bytes each, and what they describe.
import struct
import sys

PLAIN = 0 | 1 << 3 | 2 << 6 | 3 << 9  # red, green, blue, alpha
FORMATS = [0x03, 0x04, 0x05, 0x06, 0x0f, 0x10, 0x11, 0x12, 0x15, 0x16, 0x17, 0x18, 0x19, 0x21, 0x22, 0x23,
           0x24, 0x30, 0x32, 0x33, 0x34, 0x43, 0x44, 0x45, 0x46, 0x47, 0x4a, 0x4b, 0x4c, 0x58, 0x59, 0x5a,
           0x5b, 0x5c, 0x60, 0x61, 0x62, 0x63, 0x64, 0x67, 0x68, 0x69, 0x72, 0x73, 0x74, 0x82, 0x83, 0x84]


def texture(format, width=4, height=4, type=1, pitch=0, layer=0, depth=0, swizzle=PLAIN, srgb=0, order=0, levels=1,
            tile=0, samples=0, compressed=0, address=0x30000, start=0):
    """A descriptor by its fields."""
    return [tile | srgb << 2 | swizzle << 4 | (levels - 1) << 16 | samples << 20 | format << 22 | order << 30,
            width | height << 15, pitch << 7 | start << 16 | type << 29, layer >> 12 | compressed << 28,
            address & 0xffffffff, address >> 32 | depth << 17] + [0] * 10


def write(name, words):
    """A file of words."""
    with open(name, "wb") as file:
        file.write(struct.pack("<%dI" % len(words), *words))


def descriptors(name, list):
    """A file of descriptors, one after the other."""
    write(name, sum(list, []))


descriptors("formats", [texture(format) for format in FORMATS])
# orders of components, swizzles, sRGB
descriptors("orders", [texture(0x30, order=order) for order in range(4)] +
            [texture(0x30, swizzle=swizzle) for swizzle in (0o3210, 0o0123, 0o4567, 0o5544)] +
            [texture(0x30, srgb=1), texture(0x0f, srgb=1), texture(0x21, srgb=1), texture(0x82, srgb=1)])
# shapes: pitch and layer given and not, 3D, arrays, cubes, one row, buffers
descriptors("shapes", [texture(0x4b), texture(0x4b, pitch=64), texture(0x4b, layer=4096, depth=3), texture(0x4b, depth=3),
                       texture(0x4b, type=3, depth=2), texture(0x4b, type=0, height=0), texture(0x4b, type=2, depth=6),
                       texture(0x4b, type=4, width=5, height=1), texture(0x4b, type=4, width=5, height=0),
                       texture(0x4b, type=3, depth=2, pitch=64, layer=4096)])
# what the machine refuses, each for its reason
descriptors("refused", [texture(0x4b, tile=3), texture(0x4b, compressed=1), texture(0x01), texture(0x4b, order=1),
                        texture(0x4b, type=5), texture(0x4b, samples=1), texture(0x4b, width=0),
                        texture(0x4b, type=4, start=1), texture(0x4b, address=0x990000), texture(0x4b, levels=3)])
# samplers (two words) behind a texture of four by four: filters, wraps, comparisons
descriptors("samplers", [texture(0x4a, width=4, height=1, address=0x38000)] +
            [[mag << 1 | wrap << 5 | wrap << 8 | mip, compare << 1 | unnormalized << 5] + [0] * 14
             for mag, wrap, mip, compare, unnormalized in
             [(0, 0, 0, 0, 0), (1, 0, 0, 0, 0), (2, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 2, 0, 0, 0), (0, 3, 0, 0, 0)] +
             [(0, 0, 0, compare, 0) for compare in range(8)] + [(0, 0, 0, 0, 1)]])
with open("floats", "wb") as file:
    file.write(struct.pack("<4f", 1, 2, 4, 8))
# images
descriptors("images", [texture(format, width=3, height=2, type=type) for type in (1, 4)
                       for format in (0x17, 0x18, 0x4b, 0x45, 0x68, 0x05, 0x33, 0x62, 0x83, 0x30)] +
            [texture(0x4b, width=3, height=2, pitch=64, layer=4096, depth=2, type=3),
             texture(0x4b, width=3, height=2, depth=2, type=3)])
with open("bytes", "wb") as file:
    file.write(bytes((0x81, 0x3f, 0xfe, 0x3c, 0x05, 0xc2, 0x02, 0xbe) * 4))
write("numbers", range(0x100, 0x900))
write("filled", [0xaaaaaaaa] * 0x800)

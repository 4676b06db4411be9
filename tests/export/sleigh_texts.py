# SPDX-License-Identifier: MIT
"""Is the text that a module of `gpucode export sleigh` shows that of the listing? The same but for a list of spellings:
numbers may be hexadecimal, fractions are shown as their bits, places of code as addresses, and what `{rsv}` tells of bits that
mean nothing is left out."""
import re
import struct

RESERVED = re.compile(r" ;?\{rsv 0x[0-9a-f_]+\}")
# b31, -0x5: not a part of a word, of a name or of a fraction
NUMBER = re.compile(r"(?<![\w$@%.])(b?-?)(0x[0-9a-f]+|\d+)(?![\w.])")
FRACTION = re.compile(r"h?\((-?(?:\d[\d.]*(?:e-?\d+)?|inf|nan))\)(?=$|,)")
PLACE = re.compile(r"#?((?<=#)[a-z]+(?=\d))?(-?(?:0x[0-9a-f]+|\d+))$")
SHOWN_PLACE = re.compile(r"-?(?:0x[0-9a-f]+|\d+)$")
CALL_BITS = 1 << 28  # of calls listings take the highest bit as a sign


def with_numbers(text):
    return NUMBER.sub(lambda number: number.group(1) + hex(int(number.group(2), 0)), text)


def is_fraction(text, bits):
    """Are these the bits of the fraction? Listings may round it."""
    for form, size in (("f", "I"), ("e", "H")):
        if bits >> 8 * struct.calcsize(size):
            continue
        value = struct.unpack("<" + form, struct.pack("<" + size, bits))[0]
        if text == f"{value:f}" or (value != value and "nan" in text):
            return True
        try:
            if struct.pack("<" + form, float(text)) == struct.pack("<" + size, bits):
                return True
        except OverflowError:
            continue
    return False


def same(listing, found, place, unit):
    """`place`: the last operand may be one of code, of `unit` bytes each."""
    listing, found = RESERVED.sub("", listing).strip(), found.strip()
    if place and (wanted := PLACE.search(listing)) and (shown := SHOWN_PLACE.search(found)):
        if (with_numbers(listing[:wanted.start()]) == with_numbers(found[:shown.start()]) and
                (int(wanted.group(2), 0) * unit - int(shown.group(), 0)) % CALL_BITS == 0):
            return True
    if listing == found or with_numbers(listing) == with_numbers(found):
        return True
    fraction = FRACTION.search(listing)
    if not fraction:
        return False
    front, after = re.escape(with_numbers(listing[:fraction.start()] + "|")[:-1]), re.escape(with_numbers(listing[fraction.end():]))
    bits = re.fullmatch(front + r"(?:h?\((0x[0-9a-f]+)\)|(0x[0-9a-f]+))" + after, with_numbers(found))
    return bool(bits) and is_fraction(fraction.group(1), int(bits.group(1) or bits.group(2), 16))

// SPDX-License-Identifier: MIT
// A register's value as a person wants it: a float where the register holds one, hex, decimal; and what is typed, as bits.

const view = new DataView(new ArrayBuffer(4));

function half_of(bits) {
    const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 0x3ff;
    if (exponent === 31)
        return fraction ? NaN : sign * Infinity;
    return exponent ? sign * (1 + fraction / 1024) * 2 ** (exponent - 15) : sign * (fraction / 1024) * 2 ** -14;
}

// The nearest half; of two as near the even one.
function bits_of_half(value) {
    const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0, size = Math.abs(value);
    if (Number.isNaN(value))
        return 0x7e00;
    if (size >= 65520)
        return sign | 0x7c00;
    let low = 0, high = 0x7bff; // halves are in the order of their bits
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (half_of(middle) <= size)
            low = middle;
        else
            high = middle - 1;
    }
    const below = size - half_of(low), above = low < 0x7bff ? half_of(low + 1) - size : Infinity;
    return sign | (above < below || (above === below && low & 1) ? low + 1 : low);
}

const is_half = (name) => /^hr/.test(name);

export function float_of(bits, half = false) {
    if (half)
        return half_of(bits & 0xffff);
    view.setUint32(0, bits >>> 0);
    return view.getFloat32(0);
}

const float_text = (value, half) => (Number.isFinite(value) ? String(Number(value.toPrecision(half ? 4 : 9))) : String(value));

// value: the session's text, "0x40400000 (3)" of a register that holds floats. {text, title}
export function shown(name, value, form) {
    const bits = Number(value.match(/^0x[0-9a-f]+/i)?.[0] ?? NaN), typed = value.match(/ \((.*)\)$/)?.[1];
    if (Number.isNaN(bits))
        return { text: value, title: value };
    const half = is_half(name), hex = value.match(/^0x[0-9a-f]+/i)[0], float = float_text(float_of(bits, half), half);
    const decimal = bits > 0x7fffffff ? `${bits} (${bits | 0})` : `${bits}`;
    const forms = { hex, decimal, float, type: typed === undefined ? hex : `${hex} (${typed})` };
    return { text: forms[form] ?? forms.type, title: `${hex} = ${decimal} = ${float} as a float` };
}

// What a person types, as the session takes it: "2.5" as its bits, everything else is an expression.
export function taken(name, text) {
    const word = text.trim();
    if (!/^[-+]?(\d+\.\d*(e[-+]?\d+)?|\.\d+(e[-+]?\d+)?|\d+e[-+]?\d+|inf|infinity|nan)$/i.test(word))
        return word;
    const value = Number(word.replace(/^([-+]?)inf(inity)?$/i, "$1Infinity"));
    if (is_half(name))
        return `0x${bits_of_half(value).toString(16)}`;
    view.setFloat32(0, value);
    return `0x${view.getUint32(0).toString(16)}`;
}

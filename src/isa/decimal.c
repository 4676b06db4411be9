/* SPDX-License-Identifier: MIT */
#include "isa/decimal.h"

#include "base/text.h"

const struct decimal_format decimal_f32 = {23, 8}, decimal_f16 = {10, 5};

/* --- whole numbers of up to 1,024 bits ------------------------------------------------------------------------- */

#define LIMBS 34
struct big {
    uint32_t limb[LIMBS]; /* least significant first */
    unsigned count;
};

static void multiply_big(struct big *big, uint32_t factor, uint32_t add)
{
    uint64_t carry = add;
    for (unsigned i = 0; i < big->count; i++) {
        carry += (uint64_t)big->limb[i] * factor;
        big->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && big->count < LIMBS)
        big->limb[big->count++] = (uint32_t)carry;
}

static void multiply_power_of_ten(struct big *big, unsigned power)
{
    for (; power >= 9; power -= 9)
        multiply_big(big, 1000000000, 0);
    for (; power; power--)
        multiply_big(big, 10, 0);
}

static void shift_left(struct big *big, unsigned bits)
{
    for (; bits >= 31; bits -= 31)
        multiply_big(big, UINT32_C(1) << 31, 0);
    multiply_big(big, UINT32_C(1) << bits, 0);
}

static int compare_big(const struct big *a, const struct big *b)
{
    unsigned count = a->count > b->count ? a->count : b->count;
    for (unsigned i = count; i-- > 0;) {
        uint32_t left = i < a->count ? a->limb[i] : 0, right = i < b->count ? b->limb[i] : 0;
        if (left != right)
            return left < right ? -1 : 1;
    }
    return 0;
}

static void subtract_big(struct big *a, const struct big *b) /* a >= b */
{
    int64_t borrow = 0;
    for (unsigned i = 0; i < a->count; i++) {
        borrow += (int64_t)a->limb[i] - (i < b->count ? b->limb[i] : 0);
        a->limb[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
}

static unsigned bit_length(const struct big *big)
{
    for (unsigned i = big->count; i-- > 0;)
        if (big->limb[i])
            return 32 * i + 32 - (unsigned)__builtin_clz(big->limb[i]);
    return 0;
}

/* floor(a / b) for quotients below 2^32; a becomes the remainder. */
static uint32_t divide_big(struct big *a, const struct big *b)
{
    uint32_t quotient = 0;
    unsigned long_a = bit_length(a), long_b = bit_length(b);
    if (long_a < long_b)
        return 0;
    for (unsigned shift = long_a - long_b + 1; shift-- > 0;) {
        struct big shifted = *b;
        shift_left(&shifted, shift);
        if (compare_big(a, &shifted) >= 0) {
            subtract_big(a, &shifted);
            quotient |= UINT32_C(1) << shift;
        }
    }
    return quotient;
}

/* --- reading --------------------------------------------------------------------------------------------------- */

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static inline void keep_digit(struct decimal *number, int digit, bool fraction)
{
    number->exponent -= fraction;
    if (!digit) {
        number->zeros += number->count != 0;
        return;
    }
    for (; number->zeros && number->count < DECIMAL_DIGITS_MAX; number->zeros--)
        number->digits[number->count++] = 0;
    if (number->count < DECIMAL_DIGITS_MAX) {
        number->digits[number->count++] = (uint8_t)digit;
        return;
    }
    number->inexact = true;
    number->exponent += (int)number->zeros + 1;
    number->zeros = 0;
}

size_t decimal_read(const char *text, size_t length, struct decimal *number, bool *is_float)
{
    const char *at = text, *end = text + length;
    number->negative = number->inexact = *is_float = false;
    number->count = number->zeros = 0;
    number->exponent = 0;
    if (at < end && (*at == '-' || *at == '+'))
        number->negative = *at++ == '-';
    bool any = false;
    for (; is_digit(at, end); at++, any = true)
        keep_digit(number, *at - '0', false);
    if (at < end && *at == '.') {
        *is_float = true;
        for (at++; is_digit(at, end); at++, any = true)
            keep_digit(number, *at - '0', true);
    }
    if (!any)
        return 0;
    if (at < end && (*at == 'e' || *at == 'E')) {
        const char *mark = at + 1;
        bool minus = mark < end && *mark == '-';
        mark += mark < end && (*mark == '-' || *mark == '+');
        if (is_digit(mark, end)) {
            int exponent = 0;
            for (; is_digit(mark, end); mark++)
                exponent = exponent < 100000 ? exponent * 10 + (*mark - '0') : exponent;
            number->exponent += minus ? -exponent : exponent;
            *is_float = true;
            at = mark;
        }
    }
    number->exponent += (int)number->zeros;
    return (size_t)(at - text);
}

/*
 * Most numbers in a text are short and have their exact value as a float: 1.000000, 0.5. Those need no big integers.
 * False: it is another one.
 */
static bool exact_bits(const struct decimal *number, const struct decimal_format *format, uint32_t *bits)
{
    enum { DIGITS = 18, FIVES = 12 };
    uint64_t value = 0;
    int exponent = number->exponent, half = 0; /* value * 10^exponent * 2^half */
    if (!number->count || number->count > DIGITS || number->inexact || exponent < -FIVES ||
        exponent > DIGITS - (int)number->count)
        return false;
    for (unsigned i = 0; i < number->count; i++)
        value = value * 10 + number->digits[i];
    for (; exponent > 0; exponent--)
        value *= 10;
    for (; exponent < 0 && value % 5 == 0; exponent++, half--)
        value /= 5;
    if (exponent < 0 || value >> (format->fraction_bits + 1))
        return false;
    int highest = 63 - __builtin_clzll(value), bias = (1 << (format->exponent_bits - 1)) - 1;
    int biased = highest + half + bias; /* of 2^-FIVES to 2^(fraction_bits + 1), which are within either format */
    uint32_t mantissa = (uint32_t)value << (format->fraction_bits - highest);
    *bits = (uint32_t)number->negative << (format->fraction_bits + format->exponent_bits) |
            ((uint32_t)biased << format->fraction_bits) | (mantissa & ((UINT32_C(1) << format->fraction_bits) - 1));
    return true;
}

uint32_t decimal_to_bits(const struct decimal *number, const struct decimal_format *format)
{
    uint32_t exact;
    if (exact_bits(number, format, &exact))
        return exact;
    unsigned fraction = format->fraction_bits;
    int bias = (1 << (format->exponent_bits - 1)) - 1;
    uint32_t sign = (uint32_t)number->negative << (fraction + format->exponent_bits);
    uint32_t infinity = ((UINT32_C(1) << format->exponent_bits) - 1) << fraction;
    if (!number->count)
        return sign;
    int magnitude = (int)number->count + number->exponent; /* below 10^magnitude */
    if (magnitude > 40)
        return sign | infinity;
    if (magnitude < -50)
        return sign;
    struct big top = {{0}, 1}, bottom = {{1}, 1};
    for (unsigned i = 0; i < number->count; i++)
        multiply_big(&top, 10, number->digits[i]);
    if (number->inexact) /* one more digit stands for all that follow */
        multiply_big(&top, 10, 1);
    int power = number->exponent - number->inexact;
    multiply_power_of_ten(power >= 0 ? &top : &bottom, (unsigned)(power >= 0 ? power : -power));
    /* top / bottom = mantissa * 2^exponent with fraction + 1 bits in the mantissa, fewer for denormals */
    /* that exponent is the right one or one too small */
    int exponent = (int)bit_length(&top) - (int)bit_length(&bottom) - (int)fraction - 1;
    int least = 1 - bias - (int)fraction;
    if (exponent < least)
        exponent = least;
    for (;;) {
        struct big rest = top, unit = bottom;
        shift_left(exponent < 0 ? &rest : &unit, (unsigned)(exponent < 0 ? -exponent : exponent));
        uint32_t mantissa = divide_big(&rest, &unit);
        if (mantissa >> (fraction + 1)) { /* one bit too many */
            exponent++;
            continue;
        }
        shift_left(&rest, 1);
        int half = compare_big(&rest, &unit);
        mantissa += half > 0 || (half == 0 && mantissa & 1);
        /* a carry runs into the exponent as it should */
        uint32_t value = mantissa >> fraction ? (uint32_t)(exponent - least) << fraction : 0;
        value += mantissa;
        return sign | (value < infinity ? value : infinity);
    }
}

/* --- printing --------------------------------------------------------------------------------------------------- */

/* mantissa * 2^exponent */
static void take_apart(uint32_t bits, const struct decimal_format *format, uint32_t *mantissa, int *exponent)
{
    unsigned fraction = format->fraction_bits;
    int bias = (1 << (format->exponent_bits - 1)) - 1;
    uint32_t biased = bits >> fraction & ((UINT32_C(1) << format->exponent_bits) - 1);
    *mantissa = (bits & ((UINT32_C(1) << fraction) - 1)) | (biased ? UINT32_C(1) << fraction : 0);
    *exponent = (biased ? (int)biased : 1) - bias - (int)fraction;
}

static bool reads_back(const char *text, const char *end, uint32_t bits, const struct decimal_format *format)
{
    struct decimal number;
    bool is_float;
    return decimal_read(text, (size_t)(end - text), &number, &is_float) && decimal_to_bits(&number, format) == bits;
}

/* Six digits after the point; *exact: nothing was rounded. null: too large for this. */
static char *print_fixed(char *at, uint32_t mantissa, int exponent, bool *exact)
{
    if (exponent > 40 || (exponent > 0 && (uint64_t)mantissa >> (43 - exponent) != 0))
        return NULL;
    uint64_t millionths;
    *exact = true;
    if (exponent >= 0) {
        millionths = ((uint64_t)mantissa << exponent) * 1000000;
    } else {
        uint64_t product = (uint64_t)mantissa * 1000000; /* below 2^44 */
        unsigned shift = (unsigned)-exponent;
        millionths = shift < 64 ? product >> shift : 0;
        uint64_t rest = shift < 64 ? product - (millionths << shift) : product;
        *exact = rest == 0;
        uint64_t half = shift <= 63 ? UINT64_C(1) << (shift - 1) : UINT64_MAX;
        millionths += rest > half || (rest == half && millionths & 1);
    }
    at = text_decimal(at, millionths / 1000000);
    *at++ = '.';
    uint32_t rest = (uint32_t)(millionths % 1000000);
    for (uint32_t unit = 100000; unit; unit /= 10)
        *at++ = (char)('0' + rest / unit % 10);
    return at;
}

/* `count` significant digits as d.ddd, or d.ddde-xx where that is shorter. */
static char *print_digits(char *at, uint32_t mantissa, int exponent, unsigned count)
{
    static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
    int power = -46; /* digits = value / 10^power, to become count digits */
    uint32_t digits = 0;
    /* the number of decimal digits in front of the point, nearly: log10(2) = 0.30103 */
    int bits = exponent + 32 - __builtin_clz(mantissa);
    for (power = (int)((bits * 30103L) / 100000) - (int)count - 1;; power++) {
        struct big top = {{mantissa}, 1}, bottom = {{1}, 1};
        shift_left(exponent >= 0 ? &top : &bottom, (unsigned)(exponent >= 0 ? exponent : -exponent));
        multiply_power_of_ten(power >= 0 ? &bottom : &top, (unsigned)(power >= 0 ? power : -power));
        struct big limit = bottom;
        multiply_power_of_ten(&limit, count);
        if (compare_big(&top, &limit) >= 0)
            continue;
        digits = divide_big(&top, &bottom);
        shift_left(&top, 1);
        int half = compare_big(&top, &bottom);
        digits += half > 0 || (half == 0 && digits & 1);
        if (digits < powers[count])
            break;
    }
    int ten = power + (int)count - 1; /* of the first digit */
    bool plain = ten >= -5 && ten < (int)count;
    if (plain && ten < 0) {
        at = TEXT_LITERAL(at, "0.");
        for (int i = -1; i > ten; i--)
            *at++ = '0';
    }
    unsigned before = plain && ten >= 0 ? (unsigned)ten : 0; /* digits in front of the point, less one */
    for (unsigned i = 0; i < count; i++) {
        *at++ = (char)('0' + digits / powers[count - 1 - i] % 10);
        if (i == before && (!plain || ten >= 0))
            *at++ = '.';
    }
    if (at[-1] == '.')
        *at++ = '0';
    if (plain)
        return at;
    *at++ = 'e';
    return text_signed(at, ten);
}

char *decimal_print(char *at, uint32_t bits, const struct decimal_format *format)
{
    uint32_t mantissa;
    int exponent;
    char *start = at;
    if (bits >> (format->fraction_bits + format->exponent_bits) & 1)
        *at++ = '-';
    take_apart(bits, format, &mantissa, &exponent);
    while (mantissa && !(mantissa & 1)) {
        mantissa >>= 1;
        exponent++;
    }
    if (!mantissa)
        exponent = 0;
    bool exact = false;
    char *end = print_fixed(at, mantissa, exponent, &exact);
    if (end && (exact || reads_back(start, end, bits, format)))
        return end;
    for (unsigned count = 1; count < 9; count++) {
        end = print_digits(at, mantissa, exponent, count);
        if (reads_back(start, end, bits, format))
            return end;
    }
    return print_digits(at, mantissa, exponent, 9);
}

uint32_t decimal_half(uint32_t bits)
{
    uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude >= 0x7f800000)
        return sign | 0x7c00 | (magnitude > 0x7f800000 ? 0x200 : 0);
    if (magnitude >= 0x477ff000)
        return sign | 0x7c00;
    int exponent = (int)(magnitude >> 23) - 127;
    uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000;
    unsigned shift = exponent >= -14 ? 13 : (unsigned)(-exponent - 1);
    if (shift > 24)
        return sign;
    uint32_t value = mantissa >> shift, rest = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
    value += rest > half || (rest == half && value & 1);
    return sign | (exponent >= -14 ? value + ((uint32_t)(exponent + 14) << 10) : value);
}

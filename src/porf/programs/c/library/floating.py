"""Functions of <math.h> whose results IEEE 754 determines, and LLVM's names for them."""

from porf.programs.c.floats import as_double, as_type, is_single, sign_bit
from porf.programs.c.library.record import Call, Emit, function
from porf.programs.form import Binary, Unary

ROUNDED = {
    "sqrt": Unary.SQRT,
    "floor": Unary.FLOOR,
    "ceil": Unary.CEIL,
    "trunc": Unary.TRUNC,
    "round": Unary.ROUND,
    "rint": Unary.ROUND_EVEN,
    "nearbyint": Unary.ROUND_EVEN,
    "roundeven": Unary.ROUND_EVEN,
}
# The highest 16 bits of infinity, of the least number that is quietly none, and of the least normal one.
SINGLE = (0x7F80, 0x7FC0, 0x0080)
DOUBLE = (0x7FF0, 0x7FF8, 0x0010)


def names(name: str, of_llvm: str | None = None) -> tuple[str, ...]:
    """For double, float and long double, and that of LLVM."""
    return name, f"{name}f", f"{name}l", f"llvm.{of_llvm or name}"


def of_one(kind: Unary) -> Emit:
    return lambda call: as_type(call.code, call.code.unary(kind, as_double(call.frame, call.operands[0])), call.type)


def of_two(kind: Binary) -> Emit:
    def emit(call: Call) -> int:
        left, right = (as_double(call.frame, operand) for operand in call.operands[:2])
        return as_type(call.code, call.code.binary(kind, left, right), call.type)

    return emit


for name, rounding in ROUNDED.items():
    function(*names(name))(of_one(rounding))
function(*names("fmin", "minnum"))(of_two(Binary.FMIN))
function(*names("fmax", "maxnum"))(of_two(Binary.FMAX))
function("fmod", "fmodf", "fmodl")(of_two(Binary.FREM))


@function(*names("fabs"))
def magnitude(call: Call) -> int:
    return call.code.binary(Binary.AND, call.argument(0), call.code.constant(~sign_bit(call.type)))


@function(*names("copysign"))
def with_sign(call: Call) -> int:
    code, sign = call.code, call.code.constant(sign_bit(call.type))
    return code.binary(Binary.OR, magnitude(call), code.binary(Binary.AND, call.argument(1), sign))


@function("llvm.fmuladd")
def product_and_sum(call: Call) -> int:
    """It may be rounded once or twice: twice, as the source has it."""
    left, right, other = (as_double(call.frame, operand) for operand in call.operands)
    product = as_type(call.code, call.code.binary(Binary.FMUL, left, right), call.type)
    if is_single(call.type):
        product = call.code.unary(Unary.WIDEN, product)
    return as_type(call.code, call.code.binary(Binary.FADD, product, other), call.type)


@function("llvm.is.fpclass")
def is_of_class(call: Call) -> int:
    """Ten classes, a bit of the mask each: two kinds of what is no number; then by sign, the negative ones first."""
    code, mask, kind = call.code, call.number(1) or 0, call.operands[0].type
    shift, (infinite, quiet, normal) = (16, SINGLE) if is_single(kind) else (48, DOUBLE)
    value = call.argument(0)
    size = code.binary(Binary.AND, value, code.constant(~sign_bit(kind)))
    negative = code.binary(Binary.LT, value, code.constant(0))

    def between(first: int, end: int) -> int:
        above = code.binary(Binary.GE, size, code.constant(first << shift))
        return code.binary(Binary.AND, above, code.binary(Binary.LT, size, code.constant(end << shift)))

    is_infinite = code.binary(Binary.EQ, size, code.constant(infinite << shift))
    is_zero = code.binary(Binary.EQ, size, code.constant(0))
    is_small = code.binary(Binary.AND, between(0, normal), code.unary(Unary.NOT, is_zero))
    is_quiet = code.binary(Binary.GE, size, code.constant(quiet << shift))
    is_noisy = code.binary(Binary.AND, between(infinite, quiet), code.unary(Unary.NOT, is_infinite))
    found = code.binary(Binary.AND, is_noisy, code.constant(mask & 1))
    found = code.binary(Binary.OR, found, code.binary(Binary.AND, is_quiet, code.constant(mask >> 1 & 1)))
    for bit, is_it in enumerate((is_infinite, between(normal, infinite), is_small, is_zero), 2):
        wanted = code.select(negative, code.constant(mask >> bit & 1), code.constant(mask >> (11 - bit) & 1))
        found = code.binary(Binary.OR, found, code.binary(Binary.AND, is_it, wanted))
    return found

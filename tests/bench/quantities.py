"""Numbers for people."""

from .files import GIB, KIB, MIB


def shown(value: float, unit: str) -> str:
    match unit:
        case "s":
            return _seconds(value)
        case "bytes":
            return size(value)
        case _:
            return f"{value:.3g} {unit}" if value < 100 else f"{value:,.0f}{unit}"


def size(value: float) -> str:
    for name, length in (("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
        if value >= 0.95 * length:
            return f"{value / length:.3g} {name}"
    return f"{value:.0f} B"


def _seconds(value: float) -> str:
    for name, length in (("s", 1.0), ("ms", 1e-3)):
        if value >= length:
            return f"{value / length:.3g} {name}"
    return f"{value / 1e-6:.3g} µs"

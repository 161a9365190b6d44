"""Curves on two logarithmic axes, as a small SVG that reads well on a light and on a dark page."""

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from .quantities import shown, size
from .row import Curve

_WIDTH, _HEIGHT = 720, 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 150, 52, 48
_COLOURS = ("#2f81f7", "#d29922", "#8957e5")
_STYLE = """
    text { font: 13px system-ui, sans-serif; fill: #57606a }
    .title { font-size: 16px; font-weight: 600; fill: #24292f }
    .grid { stroke: #8b949e; stroke-opacity: .25 }
    .curve { fill: none; stroke-width: 2.5; stroke-linejoin: round }
    @media (prefers-color-scheme: dark) { text { fill: #9198a1 } .title { fill: #e6edf3 } }
"""


class _Axis(NamedTuple):
    """Maps a range of values to a range of pixels, logarithmically."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return round(self.start + share * (self.end - self.start), 1)


def draw(title: str, curves: dict[str, Curve]) -> str:
    """File sizes to the right, seconds upwards."""
    points = [point for curve in curves.values() for point in curve]
    sizes = sorted({bytes_ for bytes_, _ in points})
    decades = _decades([seconds for _, seconds in points])
    x = _Axis(sizes[0], sizes[-1], _LEFT, _WIDTH - _RIGHT)
    y = _Axis(decades[0], decades[-1], _HEIGHT - _BOTTOM, _TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"  <title>{escape(title)}</title>",
        f"  <style>{_STYLE}  </style>",
        f'  <text class="title" x="{_LEFT}" y="26">{escape(title)}</text>',
        *(_size_tick(x, value) for value in sizes),
        *(_time_tick(y, value) for value in decades),
    ]
    for (name, curve), colour in zip(curves.items(), _COLOURS, strict=False):
        parts += _drawn_curve([(x.at(bytes_), y.at(seconds)) for bytes_, seconds in curve], colour)
        parts.append(_label(curve[-1][1], x.at(curve[-1][0]), y.at(curve[-1][1]), name))
    return "\n".join([*parts, "</svg>", ""])


def _decades(seconds: Sequence[float]) -> list[float]:
    """Powers of ten around the values, three of them or more, so that a flat curve also looks flat."""
    first = math.floor(math.log10(min(seconds)))
    last = math.ceil(math.log10(max(seconds)))
    return [10.0**exponent for exponent in range(first, max(last, first + 2) + 1)]


def _size_tick(x: _Axis, value: float) -> str:
    at, bottom = x.at(value), _HEIGHT - _BOTTOM
    return (
        f'  <line class="grid" x1="{at}" y1="{_TOP}" x2="{at}" y2="{bottom}"/>'
        f'<text x="{at}" y="{bottom + 22}" text-anchor="middle">{size(value)}</text>'
    )


def _time_tick(y: _Axis, value: float) -> str:
    at = y.at(value)
    return (
        f'  <line class="grid" x1="{_LEFT}" y1="{at}" x2="{_WIDTH - _RIGHT}" y2="{at}"/>'
        f'<text x="{_LEFT - 10}" y="{at + 4}" text-anchor="end">{shown(value, "s")}</text>'
    )


def _drawn_curve(points: Sequence[tuple[float, float]], colour: str) -> list[str]:
    path = " ".join(f"{x},{y}" for x, y in points)
    dots = (f'  <circle cx="{x}" cy="{y}" r="4" fill="{colour}"/>' for x, y in points)
    return [f'  <polyline class="curve" stroke="{colour}" points="{path}"/>', *dots]


def _label(seconds: float, x: float, y: float, name: str) -> str:
    return f'  <text x="{x + 12}" y="{y + 4}">{escape(name)}: {shown(seconds, "s")}</text>'

"""A plot of curves and points over a logarithmic axis, as SVG."""
import math
from collections import namedtuple

Curve = namedtuple("Curve", "name colour points dots")  # points: [(x, y)] of the line; dots: measured ones
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 420, 60, 250, 20, 50


def plot(curves, x_title, y_title, most_x):
    """y goes from 0 to 1, x from 1 to most_x."""
    def place(x, y):
        return (LEFT + (WIDTH - LEFT - RIGHT) * math.log10(x) / math.log10(most_x), HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * y)

    def text(x, y, words, more=""):
        return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for k in range(6):
        (x0, y), (x1, _) = place(1, k / 5), place(most_x, k / 5)
        lines += [f'<path d="M{x0:.1f} {y:.1f}H{x1:.1f}" stroke="#ddd"/>', text(x0 - 8, y + 4, f"{k / 5:.1f}", 'text-anchor="end"')]
    for decade in range(int(math.log10(most_x)) + 1):
        x, y = place(10**decade, 0)
        lines += [f'<path d="M{x:.1f} {y:.1f}V{TOP}" stroke="#ddd"/>', text(x, y + 18, str(10**decade), 'text-anchor="middle"')]
    lines += [text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_title, 'text-anchor="middle"'),
              text(0, 0, y_title, f'text-anchor="middle" transform="translate(16 {(HEIGHT - BOTTOM + TOP) / 2:.0f}) rotate(-90)"')]
    for k, curve in enumerate(curves):
        path = "L".join("{:.1f} {:.1f}".format(*place(x, y)) for x, y in curve.points)
        y = TOP + 16 + 22 * k
        lines += [f'<path d="M{path}" fill="none" stroke="{curve.colour}" stroke-width="2"/>',
                  f'<path d="M{WIDTH - RIGHT + 15} {y - 4}h22" stroke="{curve.colour}" stroke-width="2"/>', text(WIDTH - RIGHT + 44, y, curve.name)]
        lines += ['<circle cx="{:.1f}" cy="{:.1f}" r="4" fill="{}"/>'.format(*place(x, y), curve.colour) for x, y in curve.dots]
    lines.append(text(WIDTH - RIGHT + 15, TOP + 16 + 22 * len(curves), "dots: measured"))
    return "\n".join([*lines, "</svg>"]) + "\n"

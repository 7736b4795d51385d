"""Small matrices that are hard for one method or another, in Matrix Market format: bricks of finite elements or volumes whose sides and
coefficients vary, plates, wide stencils. Written without any package, since they are small (benchmarks/hard.py).
"""
import itertools
import pathlib

GAUSS = (-3 ** -0.5, 3 ** -0.5)
CORNERS = list(itertools.product((0, 1), repeat=3))  # x slowest, in an element alone


def gradients(point, sides):
    """Of the eight trilinear functions on a brick, at a point of [-1, 1]^3."""
    result = []
    for corner in CORNERS:
        signs = [2 * c - 1 for c in corner]
        values = [(1 + s * p) / 2 for s, p in zip(signs, point)]
        result.append([signs[d] / sides[d] * values[(d + 1) % 3] * values[(d + 2) % 3] for d in range(3)])
    return result


def diffusion_element(sides, tensor):
    """8 x 8: the integral of the gradients' product, weighted by direction."""
    K = [[0.0] * 8 for _ in range(8)]
    weight = sides[0] * sides[1] * sides[2] / 8
    for point in itertools.product(GAUSS, repeat=3):
        g = gradients(point, sides)
        for a in range(8):
            for b in range(8):
                K[a][b] += weight * sum(tensor[d] * g[a][d] * g[b][d] for d in range(3))
    return K


def elastic_element(sides, poisson):
    """24 x 24, of Young's modulus 1; three unknowns a corner."""
    shear = 1 / (2 * (1 + poisson))
    bulk = poisson / ((1 + poisson) * (1 - 2 * poisson))  # Lame's lambda
    K = [[0.0] * 24 for _ in range(24)]
    weight = sides[0] * sides[1] * sides[2] / 8
    for point in itertools.product(GAUSS, repeat=3):
        g = gradients(point, sides)
        for a, i, b, j in itertools.product(range(8), range(3), range(8), range(3)):
            value = bulk * g[a][i] * g[b][j] + shear * g[a][j] * g[b][i]
            if i == j:
                value += shear * sum(g[a][d] * g[b][d] for d in range(3))
            K[3 * a + i][3 * b + j] += weight * value
    return K


def mass_element(sides):
    line = [[1 / 3, 1 / 6], [1 / 6, 1 / 3]]
    volume = sides[0] * sides[1] * sides[2]
    return [[volume * line[p[0]][q[0]] * line[p[1]][q[1]] * line[p[2]][q[2]] for q in CORNERS] for p in CORNERS]


class System:
    """Entries of the lower triangle by (row, column), and coordinates of nodes."""

    def __init__(self, equations=1):
        self.equations, self.entries, self.coordinates = equations, {}, []

    def add(self, i, j, value):
        if j <= i:
            self.entries[i, j] = self.entries.get((i, j), 0.0) + value

    @property
    def rows(self):
        return 1 + max(i for i, _ in self.entries)

    def write(self, folder, name):
        """Paths of A and of the coordinates."""
        A, X = pathlib.Path(folder) / f"{name}.mtx", pathlib.Path(folder) / f"{name}_coordinates.mtx"
        lines = ["%%MatrixMarket matrix coordinate real symmetric", f"{self.rows} {self.rows} {len(self.entries)}"]
        A.write_text("\n".join(lines + [f"{i + 1} {j + 1} {v!r}" for (i, j), v in self.entries.items()]) + "\n")
        lines = ["%%MatrixMarket matrix array real general", f"{len(self.coordinates)} 3"]
        X.write_text("\n".join(lines + [repr(float(x[d])) for d in range(3) for x in self.coordinates]) + "\n")
        return A, X


def bricks(sides, element, equations, is_held):
    """Trilinear bricks. sides: of the cells in each direction, three lists; element(cell) gives (matrix, factor); is_held(node): left out."""
    counts = [len(s) for s in sides]
    at = [[sum(s[:k]) for k in range(len(s) + 1)] for s in sides]
    system, number = System(equations), {}
    for k, j, i in itertools.product(*(range(counts[d] + 1) for d in (2, 1, 0))):
        if not is_held((i, j, k)):
            number[i, j, k] = len(number)
            system.coordinates.append((at[0][i], at[1][j], at[2][k]))
    for cell in itertools.product(*(range(n) for n in counts)):
        K, factor = element(cell)
        nodes = [number.get(tuple(c + o for c, o in zip(cell, corner))) for corner in CORNERS]
        for a, b in itertools.product(range(8), repeat=2):
            if nodes[a] is None or nodes[b] is None:
                continue
            for i, j in itertools.product(range(equations), repeat=2):
                system.add(equations * nodes[a] + i, equations * nodes[b] + j, factor * K[equations * a + i][equations * b + j])
    return system


def volumes(counts, coupling, diagonal):
    """7-point: coupling(node, direction) to the next node, diagonal(node) besides the couplings."""
    system = System()
    index = lambda i, j, k: i + counts[0] * (j + counts[1] * k)
    for node in itertools.product(*(range(n) for n in reversed(counts))):
        node = node[::-1]
        row = index(*node)
        system.coordinates.append(node)
        system.add(row, row, diagonal(node))
        for d in range(3):
            if node[d] + 1 < counts[d]:
                other = index(*(n + (e == d) for e, n in enumerate(node)))
                c = coupling(node, d)
                for r in (row, other):
                    system.add(r, r, c)
                system.add(other, row, -c)
    return system


def layers(ratio, columns=16, levels=8):
    """Cells `ratio` times wider than high, as those of an ice sheet; one side is held, all else free."""
    sides = [[float(ratio)] * columns, [float(ratio)] * columns, [1.0] * levels]
    K = diffusion_element((ratio, ratio, 1.0), (1.0, 1.0, 1.0))
    return bricks(sides, lambda cell: (K, 1.0), 1, lambda node: node[0] == 0)


def ice_sheet(ratio, columns=10, levels=6):
    """The same cells, elastic: three unknowns a node."""
    sides = [[float(ratio)] * columns, [float(ratio)] * columns, [1.0] * levels]
    K = elastic_element((ratio, ratio, 1.0), 0.3)
    return bricks(sides, lambda cell: (K, 1.0 / ratio), 3, lambda node: node[0] == 0)


def inclusion(jump, side=24):
    """A cube whose middle conducts `jump` times as well; volumes, held on all sides."""
    within = lambda node: all(side // 4 <= n < side - side // 4 for n in node)
    value = lambda node: jump if within(node) else 1.0
    mean = lambda a, b: 2 * a * b / (a + b)
    coupling = lambda node, d: mean(value(node), value(tuple(n + (e == d) for e, n in enumerate(node))))
    edge = lambda node: 2.0 * sum(n in (0, side - 1) for n in node)
    return volumes((side,) * 3, coupling, edge)


def channels(jump, side=24):
    """Thin channels through the cube that conduct `jump` times as well."""
    value = lambda node: jump if (node[1] % 8 == 3 and node[2] % 8 == 3) or (node[0] % 8 == 5 and node[2] % 8 == 7) else 1.0
    mean = lambda a, b: 2 * a * b / (a + b)
    coupling = lambda node, d: mean(value(node), value(tuple(n + (e == d) for e, n in enumerate(node))))
    edge = lambda node: 2.0 * sum(n in (0, side - 1) for n in node)
    return volumes((side,) * 3, coupling, edge)


def boundary_layers(smallest, side=18):
    """Bricks that shrink geometrically to `smallest` towards one wall in each direction; held there."""
    ratio = (1 / smallest) ** (1 / (side - 1))
    sides = [[smallest * ratio ** k for k in range(side)] for _ in range(3)]
    made = {}

    def element(cell):
        key = tuple(sides[d][cell[d]] for d in range(3))
        if key not in made:
            made[key] = diffusion_element(key, (1.0, 1.0, 1.0))
        return made[key], 1.0
    return bricks(sides, element, 1, lambda node: 0 in node)


def fourth_order(side=100):
    """The Laplacian by (1, -16, 30, -16, 1) / 12 in both directions: couplings of both signs."""
    system = System()
    for j, i in itertools.product(range(side), repeat=2):
        row = i + side * j
        system.coordinates.append((i, j, 0))
        system.add(row, row, 60.0)
        for step, value in ((1, -16.0), (2, 1.0)):
            if i + step < side:
                system.add(row + step, row, value)
            if j + step < side:
                system.add(row + step * side, row, value)
    return system


def plate(side=64):
    """The biharmonic operator by 13 points, clamped: fourth order, condition h^-4."""
    system = System()
    stencil = {(0, 0): 20.0, (1, 0): -8.0, (0, 1): -8.0, (1, 1): 2.0, (-1, 1): 2.0, (2, 0): 1.0, (0, 2): 1.0}
    for j, i in itertools.product(range(side), repeat=2):
        row = i + side * j
        system.coordinates.append((i, j, 0))
        for (di, dj), value in stencil.items():
            if 0 <= i + di < side and j + dj < side:
                system.add(row + di + side * dj, row, value)
    return system


def mass_dominated(step, side=18):
    """A time step: mass and `step` times stiffness; in half of the cube the material conducts 1e-6 as well."""
    h = 1.0 / side
    M, K = mass_element((h,) * 3), diffusion_element((h,) * 3, (step,) * 3)
    both = {c: [[m + c * k for m, k in zip(*rows)] for rows in zip(M, K)] for c in (1.0, 1e-6)}
    return bricks([[h] * side] * 3, lambda cell: (both[1.0 if cell[0] < side // 2 else 1e-6], side ** 3), 1, lambda node: node[0] == 0)


def beam(modulus, poisson=0.3, counts=(24, 6, 6), sides=(1.0, 1.0, 1.0)):
    """An elastic body clamped at x = 0; modulus(cell) is Young's."""
    K = elastic_element(sides, poisson)
    return bricks([[s] * n for s, n in zip(sides, counts)], lambda cell: (K, modulus(cell)), 3, lambda node: node[0] == 0)


def tied(penalty, normal_only=False, counts=(8, 8, 3), finer=(12, 12, 4)):
    """Two elastic bodies of modulus 1, one upon the other, clamped at the bottom and the top. Each node of the upper one's lower side is held by
    a spring of stiffness `penalty` to where the cell of the other side beneath it has the same place; normal_only: without friction.
    """
    lower_sides, upper_sides = [[[s] * n for s, n in zip((1.0, 1.0, 1.0), counts)],
                                [[counts[d] / finer[d]] * finer[d] if d < 2 else [1.0] * finer[2] for d in range(3)]]
    bodies = []
    for sides, bottom in ((lower_sides, True), (upper_sides, False)):
        K, layers_ = elastic_element([s[0] for s in sides], 0.3), len(sides[2])
        bodies.append(bricks(sides, lambda cell, K=K: (K, 1.0), 3, lambda node, end=0 if bottom else layers_: node[2] == end))
    system = System(3)
    first = bodies[0].rows
    for body, offset, z in zip(bodies, (0, first), (0.0, float(counts[2]))):
        system.entries.update({(i + offset, j + offset): v for (i, j), v in body.entries.items()})
        system.coordinates += [(x[0], x[1], x[2] + z) for x in body.coordinates]
    # Nodes are numbered with x fastest; the lower body's last layer is its upper side, the upper body's first one its lower side.
    last = len(bodies[0].coordinates) - (counts[0] + 1) * (counts[1] + 1)
    for j, i in itertools.product(range(finer[1] + 1), range(finer[0] + 1)):
        place = [n * counts[d] / finer[d] for d, n in enumerate((i, j))]
        cell = [min(int(p + 1e-9), counts[d] - 1) for d, p in enumerate(place)]
        weights = {first // 3 + i + (finer[0] + 1) * j: 1.0}
        for a, b in itertools.product((0, 1), repeat=2):
            w = abs(1 - a - (place[0] - cell[0])) * abs(1 - b - (place[1] - cell[1]))
            if w > 1e-9:
                weights[last + cell[0] + a + (counts[0] + 1) * (cell[1] + b)] = -w
        for (m, w), (n, v) in itertools.product(weights.items(), repeat=2):
            for d in (2,) if normal_only else range(3):
                system.add(3 * m + d, 3 * n + d, penalty * w * v)
    return system

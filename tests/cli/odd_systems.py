"""Small systems of disconnected components, as Matrix Market files: weighted graphs without a boundary, and floating elastic bodies."""
import itertools
import random

GAUSS = 3 ** -0.5
CORNERS = [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)]


class System:
    """Sums entries; rows of a node are consecutive."""

    def __init__(self, equations=1):
        self.rows, self.equations, self.entries, self.points = 0, equations, {}, []

    def grow(self, count):
        self.rows += count
        return self.rows - count

    def add(self, i, j, value):
        self.entries[i, j] = self.entries.get((i, j), 0.0) + value

    def tie(self, i, j, weight):
        for row, column, value in ((i, i, weight), (j, j, weight), (i, j, -weight), (j, i, -weight)):
            self.add(row, column, value)

    def path(self, weights):
        first = self.grow(len(weights) + 1)
        for k, weight in enumerate(weights):
            self.tie(first + k, first + k + 1, weight)
        return first

    def grid(self, nx, ny, weight):
        first = self.grow(nx * ny)
        for y, x in itertools.product(range(ny), range(nx)):
            here = first + x + nx * y
            if x + 1 < nx:
                self.tie(here, here + 1, weight())
            if y + 1 < ny:
                self.tie(here, here + nx, weight())

    def squares(self, n, side, better):
        """A grid with boundary conditions on all sides and squares of higher conductivity."""
        first = self.grow(n * n)
        inside = lambda x, y: x in range(n) and y in range(n)
        conductivity = lambda x, y: better if inside(x, y) and x // side % 2 and y // side % 2 else 1.0
        for y, x, (dx, dy) in itertools.product(range(n), range(n), ((1, 0), (-1, 0), (0, 1), (0, -1))):
            one, other = conductivity(x, y), conductivity(x + dx, y + dy)
            weight = 2 * one * other / (one + other)
            self.add(first + x + n * y, first + x + n * y, weight)
            if inside(x + dx, y + dy):
                self.add(first + x + n * y, first + x + dx + n * (y + dy), -weight)

    def star(self, weights):
        centre = self.grow(len(weights) + 1)
        for k, weight in enumerate(weights):
            self.tie(centre, centre + 1 + k, weight)

    def body(self, nx, ny, nz, move, clamped=False, origin=0.0):
        """Hexahedra with randomly moved corners, clamped at x = 0."""
        nodes = list(itertools.product(range(nz + 1), range(ny + 1), range(nx + 1)))
        at = {node: tuple(c + 0.15 * move.uniform(-1, 1) for c in reversed(node)) for node in nodes}
        free = [node for node in nodes if node[2] > 0 or not clamped]
        first = self.grow(3 * len(free))
        number = {node: first + 3 * k for k, node in enumerate(free)}
        self.points += [(at[node][0] + origin, *at[node][1:]) for node in free]
        for z, y, x in itertools.product(range(nz), range(ny), range(nx)):
            corners = [(z + (c > 0), y + (b > 0), x + (a > 0)) for a, b, c in CORNERS]
            K = stiffness([at[corner] for corner in corners])
            for (k, one), (l, other) in itertools.product(enumerate(corners), repeat=2):
                if one in number and other in number:
                    for i, j in itertools.product(range(3), repeat=2):
                        self.add(number[one] + i, number[other] + j, K[3 * k + i][3 * l + j])

    def rigid_body_modes(self):
        """Rigid-body modes about the middle, six columns."""
        middle = [sum(p[c] for p in self.points) / len(self.points) for c in range(3)]
        columns = [[0.0] * self.rows for _ in range(6)]
        for k, point in enumerate(self.points):
            x, y, z = (p - m for p, m in zip(point, middle))
            for i in range(3):
                columns[i][3 * k + i] = 1.0
            columns[3][3 * k], columns[3][3 * k + 1] = -y, x
            columns[4][3 * k + 1], columns[4][3 * k + 2] = -z, y
            columns[5][3 * k], columns[5][3 * k + 2] = z, -x
        return columns

    def in_range(self, seed=1):
        """A times random numbers."""
        x = [random.Random(f"{seed} {i}").uniform(-1, 1) for i in range(self.rows)]
        b = [0.0] * self.rows
        for (i, j), value in self.entries.items():
            b[i] += value * x[j]
        return b

    def text(self):
        lines = [f"{i + 1} {j + 1} {value!r}" for (i, j), value in sorted(self.entries.items())]
        return "\n".join(["%%MatrixMarket matrix coordinate real general",
                          f"{self.rows} {self.rows} {len(lines)}", *lines]) + "\n"


def array(*columns):
    values = [repr(value) for column in columns for value in column]
    return "\n".join(["%%MatrixMarket matrix array real general", f"{len(columns[0])} {len(columns)}", *values]) + "\n"


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def stiffness(points, poisson=0.3):
    """Stiffness matrix of a trilinear hexahedron by 2 x 2 x 2 Gauss points; Young's modulus is 1."""
    first, shear = poisson / ((1 + poisson) * (1 - 2 * poisson)), 0.5 / (1 + poisson)
    K = [[0.0] * 24 for _ in range(24)]
    for g in itertools.product((-GAUSS, GAUSS), repeat=3):
        one = [[1 + c[a] * g[a] for a in range(3)] for c in CORNERS]
        slope = [[c[a] * f[(a + 1) % 3] * f[(a + 2) % 3] / 8 for a in range(3)] for c, f in zip(CORNERS, one)]
        J = [[sum(s[a] * p[b] for s, p in zip(slope, points)) for b in range(3)] for a in range(3)]
        cofactors = [cross(J[1], J[2]), cross(J[2], J[0]), cross(J[0], J[1])]
        volume = sum(J[0][b] * cofactors[0][b] for b in range(3))
        d = [[sum(s[a] * cofactors[a][b] for a in range(3)) / volume for b in range(3)] for s in slope]
        for k, l in itertools.product(range(8), repeat=2):
            both = sum(d[k][c] * d[l][c] for c in range(3))
            for i, j in itertools.product(range(3), repeat=2):
                K[3 * k + i][3 * l + j] += volume * (first * d[k][i] * d[l][j] + shear * d[k][j] * d[l][i]
                                                     + (shear * both if i == j else 0.0))
    return [[(K[i][j] + K[j][i]) / 2 for j in range(24)] for i in range(24)]

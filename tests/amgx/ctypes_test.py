#!/usr/bin/env python3
"""The calls that torch-fem 0.14.0 makes by ctypes, in its order and with its types and configuration, on the host. Run by ctest:
ctypes_test.py libtessera_amgx.so. benchmarks/gpu/torch_fem.py runs torch-fem itself on a GPU."""
import array
import ctypes as C
import json
import sys
import unittest

LIBRARY = sys.argv.pop(1)
HDDI = 8192  # torch-fem has 8193, dDDI
CONFIG = {"config_version": 2, "determinism_flag": 1, "solver": {
    "solver": "PCG", "tolerance": 1e-10, "convergence": "RELATIVE_INI", "norm": "L2", "max_iters": 1000, "monitor_residual": 1,
    "preconditioner": {"solver": "AMG", "algorithm": "AGGREGATION", "selector": "GEO", "interpolator": "D2",
                       "smoother": {"solver": "BLOCK_JACOBI", "relaxation_factor": 0.5}, "presweeps": 2, "postsweeps": 2, "cycle": "V",
                       "max_iters": 1, "coarse_solver": "DENSE_LU_SOLVER", "dense_lu_num_rows": 512, "max_levels": 50}}}
HANDLE, INT, POINTER, TEXT = C.c_void_p, C.c_int, C.c_void_p, C.c_char_p
SIGNATURES = {
    "initialize": [], "get_error_string": [INT, TEXT, INT],
    "config_create": [C.POINTER(HANDLE), TEXT], "config_destroy": [HANDLE],
    "resources_create_simple": [C.POINTER(HANDLE), HANDLE], "resources_destroy": [HANDLE],
    "matrix_create": [C.POINTER(HANDLE), HANDLE, INT], "matrix_destroy": [HANDLE],
    "matrix_upload_all": [HANDLE, INT, INT, INT, INT, POINTER, POINTER, POINTER, POINTER],
    "matrix_replace_coefficients": [HANDLE, INT, INT, POINTER, POINTER],
    "matrix_attach_geometry": [HANDLE, POINTER, POINTER, POINTER, INT],
    "vector_create": [C.POINTER(HANDLE), HANDLE, INT], "vector_destroy": [HANDLE],
    "vector_upload": [HANDLE, INT, INT, POINTER], "vector_download": [HANDLE, POINTER],
    "solver_create": [C.POINTER(HANDLE), HANDLE, INT, HANDLE], "solver_destroy": [HANDLE],
    "solver_setup": [HANDLE, HANDLE], "solver_resetup": [HANDLE, HANDLE], "solver_solve": [HANDLE, HANDLE, HANDLE],
    "solver_get_status": [HANDLE, C.POINTER(INT)], "solver_get_iterations_number": [HANDLE, C.POINTER(INT)]}


def bind():
    library = C.CDLL(LIBRARY)
    for name, arguments in SIGNATURES.items():
        function = getattr(library, "AMGX_" + name)
        function.argtypes, function.restype = arguments, INT
    return library


AMGX = bind()


class AmgxError(RuntimeError):
    pass


def call(name, *arguments):
    code = getattr(AMGX, "AMGX_" + name)(*arguments)
    if code != 0:
        text = C.create_string_buffer(4096)
        AMGX.AMGX_get_error_string(code, text, len(text))
        raise AmgxError(f"error {code}: {text.value.decode()}")


def create(name, *arguments):
    handle = HANDLE()
    call(name, C.byref(handle), *arguments)
    return handle


def address(numbers):
    return numbers.buffer_info()[0]


class Truss:
    """Bars between neighbouring nodes of an n x n x n grid, whose nodes at x = 0 are held: block CSR."""

    def __init__(self, n):
        nodes = [(x, y, z) for z in range(n) for y in range(n) for x in range(n)]
        number = {node: i for i, node in enumerate(nodes)}
        steps = [(x, y, z) for z in (-1, 0, 1) for y in (-1, 0, 1) for x in (-1, 0, 1)]
        self.n, self.axes = len(nodes), [array.array("d", axis) for axis in zip(*nodes)]
        self.offsets, self.columns, self.values = array.array("i", [0]), array.array("i"), array.array("d")
        for node in nodes:
            row, own = {}, [[float(r == c and node[0] == 0) for c in range(3)] for r in range(3)]
            for d in steps:
                other = number.get(tuple(a + b for a, b in zip(node, d)))
                if other is None or d == (0, 0, 0):
                    continue
                bar = [[d[r] * d[c] / sum(k * k for k in d) for c in range(3)] for r in range(3)]
                row[other] = [[-bar[r][c] for c in range(3)] for r in range(3)]
                own = [[own[r][c] + bar[r][c] for c in range(3)] for r in range(3)]
            row[number[node]] = own
            for column in sorted(row):
                self.columns.append(column)
                self.values.extend(value for line in row[column] for value in line)
            self.offsets.append(len(self.columns))

    def times(self, x):
        y = [0.0] * (3 * self.n)
        for i in range(self.n):
            for k in range(self.offsets[i], self.offsets[i + 1]):
                for r in range(3):
                    y[3 * i + r] += sum(self.values[9 * k + 3 * r + c] * x[3 * self.columns[k] + c] for c in range(3))
        return y


class Solver:
    """torch-fem's AmgXSolver, for arrays of the host."""

    def __init__(self):
        self.config = create("config_create", json.dumps(CONFIG).encode())
        self.resources = create("resources_create_simple", self.config)
        self.matrix = create("matrix_create", self.resources, HDDI)
        self.b = create("vector_create", self.resources, HDDI)
        self.x = create("vector_create", self.resources, HDDI)
        self.solver = create("solver_create", self.resources, HDDI, self.config)

    def setup(self, A, with_coordinates):
        call("matrix_upload_all", self.matrix, A.n, len(A.columns), 3, 3, address(A.offsets), address(A.columns), address(A.values), None)
        if with_coordinates:
            call("matrix_attach_geometry", self.matrix, *(address(axis) for axis in A.axes), A.n)
        call("solver_setup", self.solver, self.matrix)

    def resetup(self, A):
        call("matrix_replace_coefficients", self.matrix, A.n, len(A.columns), address(A.values), None)
        call("solver_resetup", self.solver, self.matrix)

    def solve(self, b):
        x = array.array("d", [0.0] * len(b))
        call("vector_upload", self.b, len(b) // 3, 3, address(b))
        call("vector_upload", self.x, len(b) // 3, 3, address(x))
        call("solver_solve", self.solver, self.b, self.x)
        status, iterations = INT(-1), INT(-1)
        call("solver_get_status", self.solver, C.byref(status))
        call("solver_get_iterations_number", self.solver, C.byref(iterations))
        call("vector_download", self.x, address(x))
        return x, status.value, iterations.value

    def close(self):
        for name in ("solver", "x", "b", "matrix", "resources", "config"):
            call({"x": "vector", "b": "vector"}.get(name, name) + "_destroy", getattr(self, name))


class TorchFem(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        call("initialize")

    def residual(self, A, x, b):
        squares = sum((p - q) ** 2 for p, q in zip(A.times(x), b)), sum(q * q for q in b)
        return (squares[0] / squares[1]) ** 0.5

    def test_setup_resetup_and_solve(self):
        A, iterations = Truss(6), {}
        b = array.array("d", [1.0 + i % 7 for i in range(3 * A.n)])
        for with_coordinates in (False, True):
            solver = Solver()
            solver.setup(A, with_coordinates)
            x, status, iterations[with_coordinates] = solver.solve(b)
            self.assertEqual(0, status)
            self.assertLess(self.residual(A, x, b), 1.01e-10)
            A.values = array.array("d", [2 * value for value in A.values])
            solver.resetup(A)
            half, status, again = solver.solve(b)
            self.assertEqual((0, iterations[with_coordinates]), (status, again))
            self.assertEqual([value / 2 for value in x], list(half))
            solver.close()

    def test_a_failure_has_a_text_and_destroyed_handles_are_refused(self):
        solver = Solver()
        with self.assertRaisesRegex(AmgxError, "error 1: AMGX_solver_setup: the matrix is empty"):
            call("solver_setup", solver.solver, solver.matrix)
        with self.assertRaisesRegex(AmgxError, "initialised already"):
            call("initialize")
        solver.close()
        with self.assertRaisesRegex(AmgxError, "was destroyed"):
            call("solver_destroy", solver.solver)

    def test_only_the_interface_is_exported(self):
        with self.assertRaises(AttributeError):
            getattr(AMGX, "_ZN7Tessera4core7versionEv")


if __name__ == "__main__":
    unittest.main()

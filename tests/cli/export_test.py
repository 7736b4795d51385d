"""The files of solve --export: consistent matrices, aggregates, and the file for ParaView."""
import json
import os
import struct
import unittest
import xml.etree.ElementTree as ElementTree

from grids import laplace
from program import RANKS, XML, Folder, Run, parameter, run_side_by_side, stratimikos

N = 13
LAPLACE = ["--problem", "Laplace3D", "--nx", N, "--ny", N, "--nz", N]
IN_DOUBLE = parameter("precision: hierarchy", "string", "double") + parameter("coarse: max size", "int", 50)


def lines(path):
    head, *rest = path.read_text().splitlines()
    return head, [line.split() for line in rest]


def matrix(path):
    """Rows as dictionaries."""
    head, ((rows, columns, count), *entries) = lines(path)
    assert head == "%%MatrixMarket matrix coordinate real general", head
    result = [{} for _ in range(int(rows))]
    for i, j, a in entries:
        assert int(j) - 1 not in result[int(i) - 1] and 0 < int(j) <= int(columns), path
        result[int(i) - 1][int(j) - 1] = float(a)
    assert len(entries) == int(count), path
    return result


def product(A, B):
    result = []
    for row in A:
        sums = {}
        for k, a in row.items():
            for j, b in B[k].items():
                sums[j] = sums.get(j, 0.0) + a * b
        result.append(sums)
    return result


def dense(path, kind="real"):
    """Columns."""
    head, ((rows, columns), *numbers) = lines(path)
    assert head == f"%%MatrixMarket matrix array {kind} general", head
    rows, number = int(rows), int if kind == "integer" else float
    assert len(numbers) == rows * int(columns), path
    return [[number(n[0]) for n in numbers[c * rows:(c + 1) * rows]] for c in range(int(columns))]


def integers(path):
    return dense(path, "integer")[0]


class Vtu:
    def __init__(self, path):
        piece = ElementTree.parse(path).getroot().find("UnstructuredGrid/Piece")
        self.points = int(piece.get("NumberOfPoints"))
        self.cells = int(piece.get("NumberOfCells"))
        self.arrays = {array.get("Name"): array.text.split() for array in piece.iter("DataArray")}
        self.point_data = [array.get("Name") for array in piece.find("PointData")]

    def numbers(self, name):
        return [int(text) for text in self.arrays[name]]


class Export(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)
        self.out = self.folder.path / "levels"

    def export(self, *arguments, status=0):
        run = Run("solve", *arguments, "--export", self.out)
        self.assertEqual(run.status, status, run)
        return run

    def names(self):
        return {path.name for path in self.out.iterdir()}

    def list_with(self, inside):
        return self.folder.put("list.xml", stratimikos("Tessera", inside))

    def close(self, A, B, tolerance):
        self.assertEqual(len(A), len(B))
        for row, other in zip(A, B):
            for j in row.keys() | other.keys():
                self.assertAlmostEqual(row.get(j, 0.0), other.get(j, 0.0), delta=tolerance)

    def test_coarse_matrices_are_r_a_p_and_the_finest_one_is_the_problem(self):
        report = self.folder.path / "o.json"
        run = self.export(*LAPLACE, "--xml", self.list_with(IN_DOUBLE), "--json", report)
        levels = json.loads(report.read_text())["levels"]
        self.assertGreater(len(levels), 1)
        self.assertIn(f"{len(levels)} levels are in {self.out}", run.out)
        gallery = self.folder.path / "A.mtx"
        self.assertEqual(Run("gallery", *LAPLACE, "--out", gallery).status, 0)
        A = matrix(self.out / "A0.mtx")
        self.assertEqual(A, matrix(gallery))
        expected = set()
        for k, level in enumerate(levels):
            expected |= {f"A{k}.mtx", f"B{k}.mtx"}
            A = matrix(self.out / f"A{k}.mtx")
            self.assertEqual(len(A), level["rows"])
            self.assertLessEqual(sum(map(len, A)), level["nonzeros"])
            self.assertEqual([len(column) for column in dense(self.out / f"B{k}.mtx")], [level["rows"]])
            if k + 1 == len(levels):
                break
            expected |= {f"P{k}.mtx", f"R{k}.mtx", f"aggregates{k}.mtx"}
            P, R = matrix(self.out / f"P{k}.mtx"), matrix(self.out / f"R{k}.mtx")
            self.assertEqual({(i, j): p for i, row in enumerate(P) for j, p in row.items()},
                             {(i, j): r for j, row in enumerate(R) for i, r in row.items()})
            self.close(matrix(self.out / f"A{k + 1}.mtx"), product(R, product(A, P)), 1e-12)
            aggregate = integers(self.out / f"aggregates{k}.mtx")
            self.assertEqual(len(aggregate), level["rows"])
            self.assertEqual(set(aggregate) - {0}, set(range(1, level["aggregates"] + 1)))
        self.assertEqual(self.names(), expected)
        self.assertEqual(set(dense(self.out / "B0.mtx")[0]), {1.0})

    def test_values_in_float_are_read_back_exactly(self):
        self.export(*LAPLACE, "--xml", self.list_with(parameter("precision: hierarchy", "string", "float")))
        for row in matrix(self.out / "P0.mtx"):
            for p in row.values():
                self.assertEqual(struct.unpack("f", struct.pack("f", p))[0], p)

    def test_points_of_the_vtu_have_the_aggregates_of_all_levels(self):
        report = self.folder.path / "o.json"
        problem, points = laplace(self.folder, N, 3)
        run = self.export(*problem, "--xml", self.list_with(IN_DOUBLE), "--json", report)
        self.assertIn("for ParaView in levels.vtu there", run.out)
        vtu = Vtu(self.out / "levels.vtu")
        self.assertEqual((vtu.points, vtu.cells), (N ** 3, N ** 3))
        self.assertEqual([float(x) for x in vtu.arrays["Points"]], [x for point in points for x in point])
        self.assertEqual(vtu.numbers("connectivity"), list(range(N ** 3)))
        self.assertEqual(vtu.numbers("offsets"), list(range(1, N ** 3 + 1)))
        self.assertEqual(set(vtu.numbers("types")), {1})
        levels = len(json.loads(report.read_text())["levels"]) - 1
        names = [f"{what} {k}" for k in range(levels) for what in ("aggregate", "size")]
        self.assertEqual(vtu.point_data, ["rank", *names])
        ranks = vtu.numbers("rank")
        self.assertEqual((ranks, set(ranks)), (sorted(ranks), set(range(RANKS))))
        place = list(range(1, N ** 3 + 1))
        for k in range(levels):
            aggregate = [0] + integers(self.out / f"aggregates{k}.mtx")
            place = [aggregate[v] for v in place]
            self.assertEqual(vtu.numbers(f"aggregate {k}"), place)
            self.assertEqual(vtu.numbers(f"size {k}"), [place.count(a) if a else 0 for a in place[:50]] +
                             vtu.numbers(f"size {k}")[50:])

    def test_nodes_of_several_unknowns_have_points_and_rigid_body_modes(self):
        self.export("--problem", "Elasticity2D", "--nx", 20, "--ny", 20, "--xml", "elasticity")
        rows = len(matrix(self.out / "A0.mtx"))
        self.assertEqual(len(dense(self.out / "B0.mtx")), 3)
        self.assertEqual(len(integers(self.out / "aggregates0.mtx")), rows // 2)
        vtu = Vtu(self.out / "levels.vtu")
        self.assertEqual(vtu.points, rows // 2)
        self.assertEqual(set(vtu.arrays["Points"][2::3]), {"0"})  # a plane
        self.assertEqual(len(dense(self.out / "B1.mtx")[0]), len(matrix(self.out / "A1.mtx")))

    def test_without_coordinates_there_is_no_vtu_and_the_program_reports_it(self):
        run = self.export(*LAPLACE, "--xml", "sa_amg")
        self.assertNotIn("levels.vtu", self.names())
        self.assertIn("without coordinates there is no levels.vtu", run.out)

    def test_a_sparse_inverse_has_factors(self):
        self.export(*LAPLACE, "--xml", "fsai")
        self.assertEqual(self.names(), {"G0.mtx"})
        G = matrix(self.out / "G0.mtx")
        self.assertEqual(len(G), N ** 3)
        for i, row in enumerate(G):
            self.assertEqual(max(row), i)  # lower triangular
            self.assertGreater(row[i], 0)

    def test_levels_of_a_bootstrap_have_the_component_in_their_names(self):
        xml = self.list_with(parameter("multigrid algorithm", "string", "matching") +
                             parameter("bootstrap: components", "int", 2) +
                             parameter("bootstrap: convergence rate", "double", 0.01))
        self.export(*laplace(self.folder, 40, 2)[0], "--xml", xml)
        self.assertTrue({"component1-A0.mtx", "component1-B0.mtx", "component2-P0.mtx"} <= self.names(), self.names())
        self.assertIn("aggregate component2-0", Vtu(self.out / "levels.vtu").point_data)

    def test_unwritable_folders_are_refused_before_any_work(self):
        file = self.folder.put("file", "")
        full = self.folder.path / "full"
        full.mkdir()
        (full / "A0.mtx").write_text("old")
        for folder, why in ((file, "is a file"), (full, "is not empty"), (self.folder.path / "none" / "x", "cannot be made")):
            run = Run("solve", *LAPLACE, "--xml", "sa_amg", "--export", folder)
            self.assertEqual(run.status, 2, run)
            self.assertIn(f"--export {folder}: {why}", run.err)
            self.assertNotIn("setup", run.out + run.err)
        self.assertEqual((full / "A0.mtx").read_text(), "old")

    @unittest.skipIf(os.geteuid() == 0, "who is root may write anywhere")
    def test_a_folder_without_permission_is_refused(self):
        self.out.mkdir(mode=0o500)
        self.assertIn("cannot be written in", self.export(*LAPLACE, "--xml", "sa_amg", status=2).err)

    def test_refusals_leave_no_folder(self):
        bad = self.folder.put("bad.xml", stratimikos("Tessera", parameter("max level", "int", 3)))
        self.export(*LAPLACE, "--xml", bad, status=2)
        run = self.export(*LAPLACE, "--xml", "ifpack2_jacobi", status=2)
        self.assertIn("--export would have no effect", run.err)
        self.assertNotIn("setup 0", run.err)
        self.assertFalse(self.out.exists())

    def test_other_outputs_must_be_outside_the_folder(self):
        self.out.mkdir()
        run = self.export(*LAPLACE, "--xml", "sa_amg", "--json", self.out / "o.json", status=2)
        self.assertIn("lies in the folder of --export", run.err)


if __name__ == "__main__":
    run_side_by_side(Export)

"""Disconnected components without a boundary, which coarsen to one node whose diagonal is a rounding error of either sign; and weakly
connected components."""
import random
import re
import unittest

from odd_systems import System, array
from program import XML, Folder, Run, run_side_by_side

LISTS = """sa_amg sa_amg_anisotropic sa_amg_jacobi sa_amg_whole ua_amg ua_amg_kcycle ua_amg_paper matching_amg matching_amg_paper
 matching_amg_bootstrap""".split()
OF_BODIES = [name for name in LISTS if name != "sa_amg_anisotropic"]
MOST = 100  # iterations


def down_to_one(name):
    """The list with levels down to one unknown."""
    text = (XML / f"{name}.xml").read_text()
    text = re.sub(r'\s*<Parameter name="coarse: max size"[^>]*/>', "", text)
    return text.replace('<Parameter name="multigrid algorithm"',
                        '<Parameter name="coarse: max size" type="int" value="1"/><Parameter name="multigrid algorithm"', 1)


def beside_a_path(*weights):
    """A path with boundary conditions at both ends, and one without."""
    system = System()
    first = system.path([1.0] * 509)
    system.add(first, first, 1.0)
    system.add(first + 509, first + 509, 1.0)
    system.path(weights)
    return system


class LooseParts(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)

    def solved_by(self, system, names, *more, small=False):
        lists = []
        for name in names:
            lists += ["--xml", self.folder.put(f"{name}.xml", down_to_one(name)) if small else XML / f"{name}.xml"]
        run = Run("compare", "--matrix", self.folder.put("A.mtx", system.text()), "--rhs", self.folder.put("b.mtx", array(system.in_range())),
                  "--equations", system.equations, *lists, "--tol", "1e-8", "--max-iterations", MOST, "--backend", "host", *more)
        self.assertEqual(run.status, 0, run)
        return run

    def test_couplings_that_are_far_apart(self):
        system = System()
        system.squares(40, 8, 1e8)
        for name in ("ua_amg", "matching_amg_bootstrap"):
            run = self.solved_by(system, [name])
            self.assertIn("levels are in double: ", run.out + run.err)

    def test_two_grids_without_a_boundary(self):
        system = System()
        for _ in range(2):
            system.grid(20, 20, lambda: 1.0)
        self.solved_by(system, LISTS)

    def test_large_grids_without_a_boundary(self):
        """Rounding errors of products accumulate in the last pivot of the coarsest matrix, which is zero in exact arithmetic."""
        lists = [word for name in ("sa_amg", "ua_amg_kcycle", "matching_amg") for word in ("--xml", name)]
        for problem in ("NeumannLaplace2D --nx 600 --ny 600", "NeumannLaplace2D --nx 30000 --ny 1",
                        "NeumannLaplace3D --nx 70 --ny 70 --nz 70"):
            run = Run("compare", "--problem", *problem.split(), *lists, "--tol", "1e-8", "--max-iterations", MOST, "--backend", "host")
            self.assertEqual(run.status, 0, run)

    def test_five_grids_down_to_one_unknown_each(self):
        system = System()
        for sides in ((20, 20), (15, 15), (10, 30), (7, 7), (25, 12)):
            system.grid(*sides, lambda: 1.0)
        self.solved_by(system, LISTS, small=True)
        self.solved_by(system, LISTS)

    def test_a_path_of_three(self):
        for weights in ((0.6, 0.7), (0.1, 0.2)):
            self.solved_by(beside_a_path(*weights), LISTS)
            self.solved_by(beside_a_path(*weights), LISTS, small=True)

    def test_only_triples(self):
        system, numbers = System(), random.Random(1)
        for _ in range(12):
            system.path([numbers.uniform(0.1, 1), numbers.uniform(0.1, 1)])
        self.solved_by(system, LISTS, small=True)

    def test_a_grid_without_a_boundary(self):
        system, numbers = System(), random.Random(2)
        system.grid(7, 6, lambda: numbers.uniform(0.5, 2))
        self.solved_by(system, LISTS, small=True)

    def test_components_of_many_kinds_and_scales(self):
        system, numbers = System(), random.Random(3)
        system.grid(9, 5, lambda: 10 * numbers.randint(1, 9) / 10)
        system.star([0.1 * numbers.uniform(0.1, 2) for _ in range(17)])
        system.path([10 ** numbers.uniform(-1, 1) for _ in range(20)])
        system.path([0.3])
        self.solved_by(system, LISTS, small=True)

    def test_a_floating_hexahedron_with_a_clamped_body(self):
        system, move = System(3), random.Random(4)
        system.body(6, 5, 4, move, clamped=True)
        system.body(1, 1, 1, move, origin=9.0)
        modes = self.folder.put("B.mtx", array(*system.rigid_body_modes()))
        self.solved_by(system, OF_BODIES, "--nullspace", modes)
        self.solved_by(system, OF_BODIES, "--nullspace", modes, small=True)
        self.solved_by(system, OF_BODIES, small=True)

    def test_bodies_that_all_float(self):
        system, move = System(3), random.Random(5)
        system.body(2, 1, 1, move)
        system.body(1, 1, 1, move, origin=20.0)
        modes = self.folder.put("B.mtx", array(*system.rigid_body_modes()))
        self.solved_by(system, OF_BODIES[:-1], "--nullspace", modes, small=True)


if __name__ == "__main__":
    run_side_by_side(LooseParts)

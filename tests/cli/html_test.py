"""The page of compare --html: well-formed, self-contained, and consistent with the JSON of the same run."""
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from grids import laplace
from program import RANKS, XML, Folder, Run, parameter, run_side_by_side, stratimikos

LAPLACE = ["--problem", "Laplace3D", "--nx", "12", "--ny", "12", "--nz", "12"]
VOID = {"meta", "br"}
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SIZES = {"a desktop's": (1280, 800), "a phone's": (390, 844)}
ODD = """a<b>&"c'd.xml"""


class Page(html.parser.HTMLParser):
    """Checks that tags are closed in order, and gathers text, tags and attributes."""

    def __init__(self, text):
        super().__init__()
        self.open, self.faults, self.tags, self.attributes, self.words = [], [], [], [], []
        self.feed(text)
        self.close()
        self.faults += [f"<{tag}> is not closed" for tag in self.open]
        self.text = " ".join("".join(self.words).split())

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes another")

    def handle_data(self, data):
        if not self.open or self.open[-1] != "style":
            self.words.append(data)

    def verdict(self):
        return re.search(r"(\S+) \(([^)]*)\) wins with", self.text)


class Html(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)
        self.file = self.folder.path / "o.html"

    def page(self, *arguments, status=0):
        run = Run("compare", *arguments, "--html", self.file)
        self.assertEqual(run.status, status, run)
        text = self.file.read_text(encoding="utf-8")
        page = Page(text)
        self.assertEqual(page.faults, [])
        ElementTree.fromstring(text)  # XML too
        return page, text

    def test_the_verdict_names_the_list_with_the_smallest_total_and_all_lists_are_there(self):
        file = self.folder.path / "o.json"
        lists = ("sa_amg", "fsai", "ifpack2_jacobi")
        page, _ = self.page(*LAPLACE, *(f"--xml={name}" for name in lists), "--json", file)
        runs = {run["xml"].split("/")[-1][:-4]: run for run in json.loads(file.read_text())["runs"]}
        winner = min(runs, key=lambda name: runs[name]["total_seconds"]["min"])
        self.assertEqual(page.verdict()[1], winner)
        self.assertEqual(page.verdict()[2], runs[winner]["preconditioner"])
        self.assertIn(f"{12 ** 3} rows", page.text)
        for name in lists:
            self.assertGreaterEqual(page.text.count(name), 4, name)
        for level in runs["sa_amg"]["levels"]:
            self.assertIn(f"{level['rows']}{level['nonzeros']}", page.text)
            self.assertIn(level["checksum"], page.text)
        self.assertIn(runs["fsai"]["fsai"]["checksum"], page.text)
        self.assertIn("threads a rank", page.text)
        self.assertIn((XML / f"{winner}.xml").read_text().split("\n")[0].strip(), page.text)
        self.assertIn("--xml=fsai", page.text)  # the command line

    def test_each_list_has_its_residuals_with_tolerance_and_rounding_level(self):
        page, text = self.page(*LAPLACE, "--xml", "sa_amg", "--xml", "fsai", "--tol", "1e-6")
        self.assertEqual(page.tags.count("circle"), 4)  # two charts
        lines = re.findall(r'<polyline [^>]*points="([^"]*)"', text)
        self.assertEqual(len(lines), 4)
        for line in lines:
            heights = [float(point.split(",")[1]) for point in line.split()]
            self.assertGreater(len(heights), 4)
            self.assertGreater(heights[-1], heights[0])  # SVG's y goes down
        self.assertEqual(text.count(">tolerance 1e-06<"), 2)
        self.assertEqual(text.count(">rounding level "), 2)

    def test_couplings_are_drawn_with_the_drop_tolerance(self):
        page, text = self.page(*LAPLACE, "--xml", "sa_amg", "--xml", "fsai")
        couplings = 6 * 12 ** 3 - 6 * 12 ** 2  # of one strength, 1/6
        self.assertIn(f"The matrix has {couplings} couplings", page.text)
        self.assertEqual(text.count('<rect class="couplings"'), 1)
        self.assertEqual(re.findall(r">drop tolerance ([^<]*)<", text), ["0.02"])
        self.assertIn("The drop tolerance 0.02 leaves 0 % of them out of the aggregates (sa_amg).", page.text)

    def test_couplings_are_those_of_nodes(self):
        page, _ = self.page("--problem", "Elasticity2D", "--nx", "8", "--ny", "8", "--xml", "elasticity")
        self.assertIn(f"The matrix has {2 * (2 * 8 * 7 + 2 * 7 * 7)} couplings between its nodes", page.text)

    def test_a_matrix_without_strengths_has_no_picture_of_its_couplings(self):
        matrix = self.folder.put("A.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 -2\n")
        none = self.folder.put("none.xml", stratimikos("None", solver="Block GMRES"))
        page, text = self.page("--matrix", matrix, "--xml", none)
        self.assertIn("Their strengths are not known", page.text)
        self.assertNotIn('<rect class="couplings"', text)

    def places(self, text, kind):
        """(x, y) -> colour of the points in paths of a class, x and y counted in points."""
        colours = {}
        for stroke, d in re.findall(f'<path class="{kind}" stroke="([^"]*)"[^>]* d="([^"]*)"', text):
            for point in re.findall(r"M([0-9.]+) ([0-9.]+)h0", d):
                self.assertNotIn(point, colours)
                colours[point] = stroke
        steps = [{value: k for k, value in enumerate(sorted({float(p[axis]) for p in colours}))} for axis in (0, 1)]
        return {(steps[0][float(x)], steps[1][float(y)]): c for (x, y), c in colours.items()}

    def test_aggregates_have_other_colours_than_their_neighbours(self):
        n, levels = 24, self.folder.path / "levels"
        problem = [*laplace(self.folder, n, 2)[0], "--xml", "sa_amg"]
        page, text = self.page(*problem)
        self.assertIn(f"All {n * n} nodes.", page.text)
        self.assertEqual(Run("solve", *problem, "--export", levels).status, 0)
        head, size, *lines = (levels / "aggregates0.mtx").read_text().splitlines()
        self.assertEqual((head.split()[-2:], size), (["integer", "general"], f"{n * n} 1"))
        aggregate = {(k % n, n - 1 - k // n): int(a) for k, a in enumerate(lines)}  # SVG's y goes down
        self.assertIn(f"in the {max(aggregate.values())} aggregates", page.text)
        colours = self.places(text, "dots")
        self.assertEqual(colours.keys(), aggregate.keys())
        by_aggregate = {}
        for place, a in aggregate.items():
            self.assertEqual(by_aggregate.setdefault(a, colours[place]), colours[place])
            for neighbour in ((place[0] + 1, place[1]), (place[0], place[1] + 1)):
                if aggregate.get(neighbour, a) != a:
                    self.assertNotEqual(colours[place], colours[neighbour])

    def test_the_error_at_each_node_and_the_rate_of_a_cycle_are_shown(self):
        page, text = self.page(*laplace(self.folder, 24, 2)[0], "--xml", "sa_amg")
        tiles = self.places(text, "tiles")
        self.assertEqual(len(tiles), 24 * 24)
        self.assertTrue({"#d55e00", "#0072b2"} & set(tiles.values()))  # the largest
        left = float(re.search(r"A cycle leaves (\S+) of the error", page.text)[1])
        self.assertGreater(left, 0.001)
        self.assertLess(left, 0.9)

    def test_a_box_is_drawn_as_a_slice(self):
        page, text = self.page(*laplace(self.folder, 12, 3)[0], "--xml", "sa_amg")
        self.assertIn(f"{12 ** 2} of {12 ** 3} nodes: a slice at z = ", page.text)
        self.assertEqual(len(self.places(text, "dots")), 12 ** 2)

    def test_many_nodes_are_drawn_as_a_window(self):
        page, text = self.page(*laplace(self.folder, 70, 2)[0], "--xml", "sa_amg")
        self.assertIn("2500 of 4900 nodes: a window around the middle", page.text)
        self.assertEqual(len(self.places(text, "dots")), 2500)

    def test_other_methods_have_only_the_error_and_missing_coordinates_are_reported(self):
        page, text = self.page(*laplace(self.folder, 24, 2)[0], "--xml", "fsai")
        self.assertNotIn('<path class="dots"', text)
        self.assertIn("The slowest error", page.text)
        page, text = self.page(*LAPLACE, "--xml", "sa_amg")
        self.assertIn("The nodes have no coordinates (--coordinates)", page.text)
        self.assertNotIn("<path", text)

    @unittest.skipUnless(CHROMIUM and RANKS == 1, "no Chromium")
    def test_chromium_shows_the_whole_page_at_any_width(self):
        _, text = self.page(*laplace(self.folder, 12, 3)[0], "--xml", "sa_amg")
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)  # forbids the script that measures
        measure = """<script>
          const drawn = [...document.querySelectorAll('svg.chart')].map(svg => svg.getBoundingClientRect());
          document.title = [innerWidth, document.documentElement.scrollWidth, drawn.length,
                            Math.min(...drawn.map(box => Math.min(box.width, box.height))),
                            Math.max(...drawn.map(box => box.right))].join(' ');</script>"""
        self.file.write_text(text.replace("</body>", f"{measure}</body>"), encoding="utf-8")
        for name, (width, height) in SIZES.items():
            picture = self.folder.path / "page.png"
            options = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder.path / 'profile'}",
                       f"--window-size={width},{height}"]
            page = pathlib.Path(self.file).as_uri()
            done = subprocess.run([*options, "--dump-dom", page], capture_output=True, text=True, timeout=100, check=True)
            inner, all_of_it, charts, least, right = map(float, re.search(r"<title>([^<]*)</title>", done.stdout)[1].split())
            self.assertLessEqual(all_of_it, inner, f"the page is wider than {name} window")
            self.assertLessEqual(right, inner, name)
            self.assertEqual(charts, 5)
            self.assertGreater(least, 100, name)
            subprocess.run([*options, f"--screenshot={picture}", page], capture_output=True, timeout=100, check=True)
            self.assertGreater(picture.stat().st_size, 10000)

    def test_nothing_is_fetched_and_nothing_runs(self):
        page, text = self.page(*LAPLACE, "--xml", "sa_amg", "--xml", "fsai")
        self.assertFalse({"script", "link", "img", "iframe", "object", "image", "use"} & set(page.tags))
        for name, value in page.attributes:
            self.assertNotIn(name, ("src", "href", "xlink:href", "srcset"))
            self.assertFalse(name.startswith("on"), name)
            self.assertNotIn("//", value if name == "style" else "")
        self.assertNotIn("@import", text)
        self.assertNotIn("url(", re.sub(r'clip-path="url\(#[a-z-]+\)"', "", text))

    def test_names_of_files_and_texts_of_lists_are_text(self):
        odd = self.folder.put(ODD, (XML / "sa_amg.xml").read_text() + "<!-- <script>alert('&amp;')</script> -->\n")
        page, text = self.page(*LAPLACE, "--xml", odd)
        self.assertEqual(page.verdict()[1], ODD[:-4])
        self.assertGreaterEqual(page.text.count(str(odd)), 2)  # with the winning list and in the table
        self.assertNotIn("script", page.tags)
        self.assertNotIn("b", page.tags)  # no list failed, and the name is no markup
        self.assertIn("<!-- <script>alert('&amp;')</script> -->", page.text)
        self.assertNotIn("a<b>", text)

    def test_a_name_that_is_not_utf8_is_shown(self):
        odd = self.folder.put("x.xml", (XML / "sa_amg.xml").read_text())
        bytes_name = bytes(self.folder.path) + b"/bad\xff.xml"
        odd.rename(bytes_name.decode("utf-8", "surrogateescape"))
        page, _ = self.page(*LAPLACE, "--quiet", "--xml", bytes_name.decode("utf-8", "surrogateescape"))
        self.assertEqual(page.verdict()[1], "bad\ufffd")

    def test_failed_lists_are_reported(self):
        bad = self.folder.put("bad.xml", stratimikos("Tessera", parameter("max level", "int", 3)))
        page, _ = self.page(*LAPLACE, "--xml", bad, "--xml", "sa_amg", status=2)
        self.assertIn("max level", page.text)
        self.assertGreaterEqual(page.text.count("failed"), 3)
        self.assertEqual(page.verdict()[1], "sa_amg")
        self.assertIn("no other list converged", page.text)

    def test_without_a_list_that_converged_nothing_wins(self):
        page, _ = self.page(*LAPLACE, "--xml", "sa_amg", "--max-iterations", "1", status=1)
        self.assertIn("No list converged on Laplace3D", page.text)
        self.assertIsNone(page.verdict())
        self.assertNotIn("winning list", page.text)
        self.assertIn("NOT CONVERGED", page.text)

    def test_a_page_that_cannot_be_written_is_an_error_before_any_solve(self):
        run = Run("compare", *LAPLACE, "--xml", "sa_amg", "--html", self.folder.path / "none" / "o.html")
        self.assertEqual(run.status, 2, run)
        self.assertIn("o.html", run.err)
        self.assertNotIn("setup", run.out + run.err)
        run = Run("compare", *LAPLACE, "--xml", "sa_amg", "--html", "/dev/full")
        self.assertEqual(run.status, 2, run)
        self.assertIn("No space left", run.err)

    def test_an_input_is_never_overwritten_and_two_outputs_are_two_files(self):
        mine = self.folder.put("mine.xml", (XML / "sa_amg.xml").read_text())
        run = Run("compare", *LAPLACE, "--xml", mine, "--html", mine)
        self.assertEqual((run.status, "is the file of --list" in run.err), (2, True), run)
        run = Run("compare", *LAPLACE, "--xml", mine, "--html", self.file, "--json", self.file)
        self.assertEqual((run.status, "is the file of --json" in run.err), (2, True), run)

    def test_the_page_has_the_number_of_ranks(self):
        page, _ = self.page(*LAPLACE, "--xml", "sa_amg")
        self.assertIn(f"on {RANKS} rank", page.text)


if __name__ == "__main__":
    run_side_by_side(Html)

"""The page of compare --html: well-formed, whole in itself, and true to the JSON of the same run."""
import html.parser
import json
import re
import unittest
import xml.etree.ElementTree as ElementTree

from program import RANKS, XML, Folder, Run, parameter, run_side_by_side, stratimikos

LAPLACE = ["--problem", "Laplace3D", "--nx", "12", "--ny", "12", "--nz", "12"]
VOID = {"meta", "br"}
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

    def test_each_list_has_its_residuals_beside_tolerance_and_rounding_level(self):
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

    def test_couplings_stand_beside_the_drop_tolerance(self):
        page, text = self.page(*LAPLACE, "--xml", "sa_amg", "--xml", "fsai")
        couplings = 6 * 12 ** 3 - 6 * 12 ** 2  # of one strength, 1/6
        self.assertIn(f"The matrix has {couplings} couplings", page.text)
        self.assertEqual(text.count('<rect class="couplings"'), 1)
        self.assertEqual(re.findall(r">drop tolerance ([^<]*)<", text), ["0.02"])
        self.assertIn("The drop tolerance 0.02 leaves 0 % of them out of the aggregates (sa_amg).", page.text)

    def test_couplings_are_those_of_nodes(self):
        page, _ = self.page("--problem", "Elasticity2D", "--nx", "8", "--ny", "8", "--xml", "elasticity")
        self.assertIn(f"The matrix has {2 * (2 * 8 * 7 + 2 * 7 * 7)} couplings between its nodes", page.text)

    def test_a_matrix_that_no_strength_fits_has_no_picture_of_its_couplings(self):
        matrix = self.folder.put("A.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 -2\n")
        none = self.folder.put("none.xml", stratimikos("None", solver="Block GMRES"))
        page, text = self.page("--matrix", matrix, "--xml", none)
        self.assertIn("Their strengths are not known", page.text)
        self.assertNotIn('<rect class="couplings"', text)

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
        self.assertGreaterEqual(page.text.count(str(odd)), 2)  # beside the winning list and in the table
        self.assertNotIn("script", page.tags)
        self.assertNotIn("b", page.tags)  # no list failed, and the name is no markup
        self.assertIn("<!-- <script>alert('&amp;')</script> -->", page.text)
        self.assertNotIn("a<b>", text)

    def test_a_name_that_is_no_utf8_is_shown_all_the_same(self):
        odd = self.folder.put("x.xml", (XML / "sa_amg.xml").read_text())
        bytes_name = bytes(self.folder.path) + b"/bad\xff.xml"
        odd.rename(bytes_name.decode("utf-8", "surrogateescape"))
        page, _ = self.page(*LAPLACE, "--quiet", "--xml", bytes_name.decode("utf-8", "surrogateescape"))
        self.assertEqual(page.verdict()[1], "bad\ufffd")

    def test_lists_that_fail_say_so(self):
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
        self.assertEqual((run.status, "is the file of --xml" in run.err), (2, True), run)
        run = Run("compare", *LAPLACE, "--xml", mine, "--html", self.file, "--json", self.file)
        self.assertEqual((run.status, "is the file of --json" in run.err), (2, True), run)

    def test_the_page_says_how_many_ranks(self):
        page, _ = self.page(*LAPLACE, "--xml", "sa_amg")
        self.assertIn(f"on {RANKS} rank", page.text)


if __name__ == "__main__":
    run_side_by_side(Html)

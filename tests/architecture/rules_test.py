"""The tree keeps every rule, and every rule detects a tree that does not. Run by ctest; by hand: python3 rules_test.py."""
import tempfile
import unittest
from pathlib import Path

import documents
import rules
import twins

ROOT = Path(__file__).resolve().parents[2]
CMAKE = {"packages/CMakeLists.txt": "foreach(_folder core sparse)\nendforeach()",
         "packages/sparse/CMakeLists.txt": "tessera_package(sparse SOURCES x.cpp DEPENDS core LIBRARIES MPI::MPI_CXX)",
         "src/CMakeLists.txt": "foreach(_folder tpetra\n    ifpack2)\nendforeach()"}


class TheTree(unittest.TestCase):
    def test_keeps_every_rule(self):
        for rule in rules.ALL + documents.ALL:
            with self.subTest(rule=rule.__name__):
                self.assertEqual("", "\n".join(rule(ROOT)))


class EveryRule(unittest.TestCase):
    """One small tree that breaks the rule, one that only seems to."""

    def check(self, rule, files, expected):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in {**CMAKE, **files}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            broken = rule(root)
        self.assertEqual(sorted(expected), sorted(sentence.split(": ")[0] for sentence in broken))

    def test_include_edges_run_downwards(self):
        self.check(rules.include_edges, {"packages/core/a.hpp": '#include "core/b.hpp"\n#include "sparse/c.hpp"',
                                         "packages/sparse/c.hpp": '#include "core/b.hpp"',
                                         "src/tpetra/d.cpp": '#include "sparse/c.hpp"\n#include "ifpack2/e.hpp"',
                                         "src/ifpack2/e.hpp": '#include "tpetra/d.hpp"',
                                         "packages/other/f.hpp": ""},
                   ["packages/core/a.hpp:2", "packages/other/f.hpp", "src/tpetra/d.cpp:2"])

    def test_cmake_knows_what_is_included(self):
        self.check(rules.undeclared_dependencies, {"packages/core/CMakeLists.txt": "tessera_package(core SOURCES a.cpp)",
                                                   "packages/core/a.hpp": '#include "sparse/c.hpp"',
                                                   "packages/sparse/c.hpp": '#include "core/a.hpp"'},
                   ["packages/core/a.hpp:1"])

    def test_packages_are_free_of_trilinos(self):
        self.check(rules.trilinos_in_packages, {"packages/core/a.hpp": "#include <Teuchos_RCP.hpp>\n#include <vector>",
                                                "packages/core/b.cpp": '#include "ml_include.h"\n#include <mpi.h>',
                                                "src/tpetra/c.hpp": "#include <Tpetra_Map.hpp>"},
                   ["packages/core/a.hpp:1", "packages/core/b.cpp:1"])

    def test_messages_begin_with_what_they_say(self):
        self.check(rules.places_in_messages, {"src/tpetra/a.cpp": "TEUCHOS_TEST_FOR_EXCEPTION(true, E, x);\nrequire<E>(true, x);",
                                              "tests/tpetra/a_test.cpp": "TEUCHOS_TEST_FOR_EXCEPTION(true, E, x);"},
                   ["src/tpetra/a.cpp:1"])

    def test_rooms_that_only_their_package_knows(self):
        self.check(rules.private_rooms, {"packages/comm/a.hpp": '#include "comm/transport/b.hpp"', "packages/sparse/c.hpp": '#include "comm/transport/b.hpp"',
                                         "src/tpetra/d.cpp": '#include "sparse/e.hpp"\n#include "fsai/batch/f.hpp"',
                                         "packages/multigrid/levels/g.hpp": '#include "multigrid/coarsening/h.hpp"',
                                         "packages/multigrid/coarsening/h.hpp": '#include "multigrid/i.hpp"\n#include "multigrid/levels/g.hpp"',
                                         "packages/multigrid/i.hpp": '#include "multigrid/coarsening/h.hpp"'},
                   ["packages/sparse/c.hpp:1", "src/tpetra/d.cpp:2", "packages/multigrid/coarsening/h.hpp:2", "packages/multigrid/i.hpp:1"])

    def test_formats_know_engines_and_not_the_reverse(self):
        self.check(rules.formats_below_engines, {"packages/sparse/formats/a.hpp": '#include "sparse/engine/b.hpp"',
                                                 "packages/sparse/engine/b.hpp": '#include "sparse/formats/a.hpp"'},
                   ["packages/sparse/engine/b.hpp:1"])

    def test_cuda_stays_in_its_files(self):
        guarded = '#if defined(TESSERA_CUDA_UNIT)\n#include "core/a.cuh"\n#else\n#include "core/a.cuh"\n#endif'
        self.check(rules.misplaced_cuda, {"packages/core/a.cu": "#include <cuda_runtime.h>", "packages/core/b.hpp": guarded,
                                          "packages/core/c.cpp": "#include <cub/cub.cuh>", "src/tpetra/d.cu": "",
                                          "src/tpetra/e.hpp": '#if defined(TESSERA_CUDA_UNIT)\n#include "core/a.cuh"\n#endif',
                                          "packages/core/f.hpp": '#if defined(__CUDACC__)\n#include "core/a.cuh"\n#endif'},
                   ["src/tpetra/d.cu", "packages/core/b.hpp:4", "packages/core/c.cpp:1", "packages/core/f.hpp:2", "src/tpetra/e.hpp:2"])

    def test_cuda_is_shown_to_our_units_alone(self):
        text = "#if defined(__CUDACC__)\n#endif\n// __CUDACC__ in words"
        self.check(rules.cuda_by_compiler, {"packages/core/a.hpp": text, "packages/core/types.hpp": text, "src/tpetra/b.hpp": text,
                                            "packages/core/c.hpp": text.replace("__CUDACC__", "TESSERA_CUDA_UNIT")},
                   ["packages/core/a.hpp:1", "src/tpetra/b.hpp:1"])

    def test_bodies_run_on_both_back_ends(self):
        body = '#include "core/x_body.hpp"'
        self.check(rules.bodies_on_one_back_end, {"packages/core/a.cpp": body, "packages/core/b.cpp": body,
                                                  "packages/core/b.cu": body, "packages/core/c.cpp": "",
                                                  "packages/core/d_host.cpp": body, "packages/core/e.cpp": body,
                                                  "packages/core/CMakeLists.txt": "tessera_package(core INSTANCES e.cpp SOURCES a.cpp b.cpp)"},
                   ["packages/core/a.cpp"])

    def test_nothing_is_defined_twice(self):
        one = "namespace Tessera::comm {\ntemplate <class T>\nstruct Dot {\n  T operator()(int i) const { return i; }\n};\n}"
        other = one.replace("<class T>", "<class U>").replace("Dot {", "Dot {  // of another kind")
        general = "namespace Tessera::comm {\ntemplate <class Space>\nvoid join(Space const& space, int size) {\n  work(space);\n}\n}"
        special = general.replace("template <class Space>\nvoid join(Space", "inline void join(core::Host")
        self.check(rules.twice_defined, {"packages/comm/a.hpp": one, "packages/comm/b.cuh": other, "packages/comm/c_body.hpp": general,
                                         "packages/comm/d.hpp": special, "packages/core/d.hpp": special.replace("comm", "core"),
                                         "packages/core/e.cuh": special.replace("comm", "core"),
                                         "packages/sparse/f.hpp": one.replace("comm", "sparse") + "namespace {\nstruct Dot {};\n}",
                                         "packages/sparse/g.hpp": "namespace Tessera::sparse {\nstruct Dot;\nstruct Dot<int> {};\n"
                                                                  "void join(int);\ntemplate <>\nvoid join(Host const& space, int) {}\n"
                                                                  "template <class T>\nvoid Dot<T>::run() {}\n}",
                                         "packages/sparse/h.hpp": "namespace Tessera::sparse {\nvoid join(Space const& s, double) {}\n"
                                                                  "void join(Space const&, int n) {}\nnamespace detail {\nstruct Dot {};\n}}"},
                   ["packages/comm/b.cuh:2", "packages/comm/d.hpp:2"])

    def test_few_know_a_back_end(self):
        text = "void f(Host const& space);\n// no Cuda const& here\nconstexpr bool g<Cuda> = true;\n#pragma omp parallel\nArray<T, Host> all;"
        instances = "template void f(Host const&);\ntemplate void f(Cuda const&);\n#if TESSERA_CUDA_UNIT"
        self.check(rules.back_ends_by_name, {"packages/sparse/a_body.hpp": text, "packages/sparse/b.cpp": instances, "packages/core/c.hpp": text,
                                             "packages/sparse/engine/d_cuda.cuh": text, "packages/comm/transport/e_cuda.cu": text,
                                             "packages/sparse/f_driver.hpp": "", "packages/sparse/g_host.cpp": "", "packages/sparse/h.cuh": ""},
                   ["packages/sparse/a_body.hpp:1", "packages/sparse/a_body.hpp:3", "packages/sparse/a_body.hpp:4", "packages/sparse/b.cpp:3",
                    "packages/sparse/f_driver.hpp", "packages/sparse/g_host.cpp", "packages/sparse/h.cuh"])

    def test_every_source_is_built(self):
        self.check(rules.sources_that_nobody_builds, {"packages/sparse/x.cpp": "", "packages/sparse/x.cu": "",
                                                      "packages/core/y.cpp": "", "packages/sparse/formats/x.cpp": ""},
                   ["packages/core/y.cpp", "packages/sparse/formats/x.cpp", "packages/sparse/x.cu"])

    def test_the_library_is_free_of_tests(self):
        self.check(rules.test_code_in_the_library, {"packages/core/a.cpp": "#include <gtest/gtest.h>",
                                                    "tests/core/b.cpp": "#include <gtest/gtest.h>"},
                   ["packages/core/a.cpp:1"])

    def test_shared_matrices_are_read_by_tests_that_have_twins(self):
        reads = 'TEST_P({0}, Reads) {{\n  TESSERA_SKIP_WITHOUT_MATRIX("a");\n  read(matrix_path("a"));\n}}\n'
        self.check(rules.shared_matrices_outside_their_tests,
                   {"tests/tpetra/a_test.cpp": "using support::matrix_path;\n" + reads.format("SharedMatrix") + reads.format("Matrix"),
                    "tests/tpetra/b_test.cpp": reads.format("SharedMatrix") + "auto helper() {\n  return has_matrix(name);\n}",
                    "tests/cli/c_test.py": "A = ROOT / '../shared/matrices/A'", "tests/support/matrices.hpp": "TESSERA_MATRICES",
                    "tests/tpetra/d.cpp": "// matrix_path(name)"},
                   ["tests/tpetra/a_test.cpp:7", "tests/tpetra/a_test.cpp:8", "tests/tpetra/b_test.cpp:6", "tests/cli/c_test.py:1"])

    def test_twins_are_counted(self):
        listing = "Note\nReadme/SharedA.\n  Reads/0  # GetParam() = (1)\n  Reads/1\nSharedB.\n  Reads\nSmallB.\n  Reads\nC.\n  Solves\n"
        self.assertEqual(twins.without_twins(listing + "Gallery/SmallA.  # TypeParam\n  Reads/0\n  Reads/1\n"), [])
        self.assertEqual([text.split(":")[0] for text in twins.without_twins(listing + "Gallery/SmallA.\n  Reads/0\n  Solves\n")], ["SharedA.Reads"])
        self.assertEqual([text.split(":")[0] for text in twins.without_twins(listing.replace("SmallB", "SmallC"))], ["SharedA.Reads", "SharedB.Reads"])
        self.assertEqual(len(twins.without_twins("C.\n  Solves\n")), 1)

    def test_public_headers_include_only_what_is_installed(self):
        public = '#include "Tessera_B.hpp"\n#include <Tpetra_Map.hpp>\n#include "core/array.hpp"'
        self.check(rules.leaking_public_headers, {"src/tpetra/Tessera_A.hpp": public,
                                                  "src/tpetra/inner.hpp": '#include "core/array.hpp"'},
                   ["src/tpetra/Tessera_A.hpp:3"])

    def test_headers_are_guarded(self):
        self.check(rules.unguarded_headers, {"packages/core/a.hpp": "// A\n#pragma once\nint a;",
                                             "packages/core/b.cuh": "#include <vector>\n#pragma once"},
                   ["packages/core/b.cuh"])

    def test_sources_begin_with_their_header(self):
        self.check(rules.own_header_not_first, {"src/tpetra/a.hpp": "", "src/tpetra/b.hpp": "",
                                                "src/tpetra/a.cpp": '#include <vector>\n#include "tpetra/a.hpp"',
                                                "src/tpetra/b.cpp": '// B\n#include "tpetra/b.hpp"\n#include <vector>',
                                                "src/tpetra/c.cpp": "#include <vector>"},
                   ["src/tpetra/a.cpp"])

    def test_folders_are_namespaces(self):
        self.check(rules.wrong_namespaces, {"packages/core/a.hpp": "namespace Tessera::core {}",
                                            "packages/sparse/b.hpp": "namespace Tessera::sparse {}",
                                            "packages/sparse/c.hpp": "namespace Tessera {}"},
                   ["packages/sparse/c.hpp"])

    def test_files_stay_short(self):
        self.check(rules.sizes, {"packages/core/a.cpp": "\n" * 501, "packages/core/b.cpp": "\n" * 500},
                   ["packages/core/a.cpp", "the median file has 500.5 lines, at most 150"])

    def test_nothing_is_left_unfinished(self):
        self.check(rules.unfinished_or_personal, {"packages/core/a.cpp": "// TO" "DO later", "docs/b.md": "see /hom" "e/me/x",
                                                  "docs/c.md": "cd somewhere/wor" "k/x"},
                   ["packages/core/a.cpp:1", "docs/b.md:1"])

    def test_packages_and_src_have_few_files(self):
        here = len([name for name in CMAKE if name.startswith(("packages/", "src/"))])
        enough = {f"packages/core/a{number}.hpp": "" for number in range(rules.MOST_FILES - here)}
        self.check(rules.too_many_files, {**enough, "tests/core/a_test.cpp": ""}, [])
        self.check(rules.too_many_files, {**enough, "src/tpetra/b.cpp": ""}, ["packages and src"])

    def test_decisions_are_numbered(self):
        self.check(rules.misnumbered_decisions, {"docs/decisions/0001-one.md": "# 1. One", "docs/decisions/0003-three.md": ""},
                   ["docs/decisions/0003-three.md"])

    def test_documents_keep_their_bounds_of_words(self):
        self.check(documents.too_many_words, {"README.md": "word " * 7000, "docs/a.md": "| word | " * 2667, "docs/parameters.md": "word " * 11000,
                                              "docs/architecture.md": "word " * 9000, "docs/decisions/0001-a.md": "word " * 250,
                                              "docs/decisions/0002-b.md": "word " * 251, "docs/results/c.md": "word " * 50000},
                   ["docs/decisions/0002-b.md", "documents", "documents for users"])
        self.check(documents.too_many_words, {"README.md": "word " * 7000, "docs/a.md": "word " * 8000, "docs/parameters.md": "word " * 20000}, [])

    def test_links_lead_somewhere(self):
        self.check(documents.dead_links, {"README.md": "[a](docs/a.md#what-1-is-and-why) [b](docs/b.md) [c](https://c) [d](docs/a.md#that)",
                                          "docs/a.md": "# A\n## What `1` is, and why\n[up](../README.md) [here](#a) [there](#b)\n```\n[x](y)\n```"},
                   ["README.md", "README.md", "docs/a.md"])

    def test_sources_name_documents_that_exist(self):
        self.check(documents.dead_references, {"packages/core/a.hpp": "// docs/a.md\n// docs/b.md\n// docs/decisions/0001 and docs/decisions/0002",
                                               "docs/a.md": "docs/c.md", "docs/decisions/0001-one.md": ""},
                   ["packages/core/a.hpp:2", "packages/core/a.hpp:3"])

    def test_documents_name_sources_that_exist(self):
        self.check(documents.sources_that_do_not_exist, {"docs/a.md": "`a.hpp`, `core/a.hpp`, `x_body.hpp`, `x.cpp`\n`b.hpp`\n`sparse/a.hpp`, a.hpp",
                                                         "packages/core/a.hpp": ""},
                   ["docs/a.md:2", "docs/a.md:3"])

    def test_programs_of_documents_are_compiled(self):
        self.check(documents.programs_that_nobody_compiles, {"README.md": "```cpp\nint main() {}\n```\n```cpp\nf();\n```",
                                                             "docs/a.md": "```cpp\nint main() { return 1; }\n```", "examples/a/main.cpp": "int main() {}\n"},
                   ["docs/a.md"])


if __name__ == "__main__":
    unittest.main()

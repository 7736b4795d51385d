"""The rules of docs/architecture.md. Each takes the root of a tree and returns its violations, one sentence each."""
import re
from statistics import median

from tree import CODE, FOLDERS, HEADERS, TEXT, declared_dependencies, definitions, files, includes, order

TRILINOS = re.compile(
    r"^(Amesos2?|Anasazi|AztecOO|BelosX?|Belos\w*|Epetra(Ext)?|Galeri|Ifpack2?|Kokkos\w*|MatrixMarket|ML|ml|MueLu|RTOp|Stratimikos"
    r"|Teuchos|Thyra|Tpetra|Trilinos|Xpetra|Zoltan2?)(_\w+)*\.h(pp)?$")
CUDA = re.compile(r"^(cub/|cuda|cublas|cusolver|cusparse|device_launch|nccl|nvtx|nvToolsExt|thrust/|cooperative_groups)")
TEST_ONLY = re.compile(r"^(gtest|gmock|benchmark|tests|support|oracle)/")
# Folders with code for one back end: primitives, engines, layouts of formats, transport, batches of dense systems.
BACK_ENDS = ("packages/core/", "packages/sparse/engine/", "packages/sparse/formats/", "packages/comm/transport/", "packages/fsai/batch/")
# Files that must look the same to every CUDA compiler: __host__ __device__, and numbers without vector registers.
MARKED_BY_COMPILER = ("packages/core/types.hpp", "packages/core/interleaved.hpp")
LONGEST = 500
LONGEST_MEDIAN = 150
MOST_FILES = 500


def include_edges(root):
    """A folder includes itself and folders that stand before it; src/ may use all of packages/, never the reverse."""
    packages, components = order(root, "packages"), order(root, "src")
    below = {"packages/" + name: packages[:i + 1] for i, name in enumerate(packages)}
    below.update({"src/" + name: packages + components[:i + 1] for i, name in enumerate(components)})
    broken = []
    for path in files(root, "packages", "src"):
        home = "/".join(path.parts[:2])
        if home not in below:
            broken.append(f"{path}: {home} is not in the dependency order ({path.parts[0]}/CMakeLists.txt)")
            continue
        for line, name, quoted, _ in includes(root / path):
            folder = name.split("/")[0] if "/" in name else None
            if quoted and folder in packages + components and folder not in below[home]:
                broken.append(f"{path}:{line}: {home} includes {name}, which stands above it")
    return broken


def undeclared_dependencies(root):
    """The CMakeLists.txt of a folder of packages/ names all folders that it includes after DEPENDS, directly or indirectly."""
    broken = []
    packages = [name for name in order(root, "packages") if (root / "packages" / name / "CMakeLists.txt").exists()]
    for home in packages:
        reachable, stack = {home}, [home]
        while stack:
            for name in declared_dependencies(root, "packages/" + stack.pop()):
                if name not in reachable:
                    reachable.add(name)
                    stack.append(name)
        for path in files(root, "packages/" + home):
            for line, name, quoted, _ in includes(root / path):
                folder = name.split("/")[0]
                if quoted and folder in packages and folder not in reachable:
                    broken.append(f"{path}:{line}: includes {name}, but packages/{home} does not depend on {folder}")
    return broken


def trilinos_in_packages(root):
    return [f"{path}:{line}: packages/ never includes Trilinos ({name})" for path in files(root, "packages")
            for line, name, _, _ in includes(root / path) if TRILINOS.match(name)]


def misplaced_cuda(root):
    """CUDA's headers and .cuh only in .cu and .cuh, or where only Tessera's CUDA units look; nothing of it in src/."""
    broken = [f"{path}: src/ has no CUDA" for path in files(root, "src", suffixes={".cu", ".cuh"})]
    for path in files(root, "packages", "src"):
        for line, name, _, guarded in includes(root / path):
            is_cuda = CUDA.match(name) or name.endswith(".cuh")
            if is_cuda and (path.parts[0] == "src" or (path.suffix not in (".cu", ".cuh") and not guarded)):
                broken.append(f"{path}:{line}: {name} belongs in .cu and .cuh files of packages/")
    return broken


def cuda_by_compiler(root):
    """TESSERA_CUDA_UNIT shows CUDA code to Tessera's .cu units. __CUDACC__ would show it to src/, too, which nvcc_wrapper compiles under
    a Trilinos with CUDA: each such unit would define kernels of its own run time."""
    return [f"{path}:{number}: __CUDACC__ holds in src/ under a Trilinos with CUDA; ask for TESSERA_CUDA_UNIT"
            for path in files(root, "packages", "src", "tests", "benchmarks") if not exempt(path, MARKED_BY_COMPILER)
            for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), start=1)
            if "__CUDACC__" in line.split("//")[0]]


def bodies_on_one_back_end(root):
    """x.cpp that instantiates a body is among the INSTANCES of its package, which both compilers compile, or has a twin x.cu; x_host.cpp is
    the host's own algorithm."""
    broken = []
    for path in files(root, "packages", suffixes={".cpp"}):
        if path.stem.endswith("_host") or (root / path).with_suffix(".cu").exists():
            continue
        name = "/".join(path.parts[2:])
        listed = re.search(r"\bINSTANCES\b([^)]*?)(?=\b(?:SOURCES|CUDA_SOURCES|DEPENDS|LIBRARIES)\b|\))",
                           (root / "packages" / path.parts[1] / "CMakeLists.txt").read_text(encoding="utf-8"))
        if listed and name in listed[1].split():
            continue
        broken += [f"{path}: includes {header}, but is not among the INSTANCES of packages/{path.parts[1]}"
                   for _, header, _, _ in includes(root / path) if header.endswith("_body.hpp")]
    return broken


# Private folders, and the folders that may include them: so no folder includes one that includes it.
KNOWN_TO = {"comm/transport/": ("comm/",), "fsai/batch/": ("fsai/batch/",), "multigrid/coarsening/": ("multigrid/coarsening/", "multigrid/levels/"),
            "multigrid/levels/": ("multigrid/levels/",)}


def private_rooms(root):
    return [f"{path}:{line}: {name} is known to {' and '.join('packages/' + room for room in rooms)} alone"
            for path in files(root, "packages", "src") for line, name, quoted, _ in includes(root / path) for room, rooms in KNOWN_TO.items()
            if quoted and name.startswith(room) and not path.as_posix().startswith(tuple("packages/" + known for known in rooms))]


def formats_below_engines(root):
    """Formats use engines, and no engine uses a format."""
    return [f"{path}:{line}: an engine includes {name}" for path in files(root, "packages/sparse/engine")
            for line, name, quoted, _ in includes(root / path) if quoted and name.startswith("sparse/formats/")]


def exempt(path, rooms):
    return path.as_posix().startswith(rooms)


def twice_defined(root):
    """One definition of a type, and of a function whatever the space: a second one would be chosen by what a source happens to
    include, or differ from the first in one program."""
    first, broken = {}, []
    for path in files(root, "packages"):
        for line, name in definitions(root / path):
            if "(" in name and exempt(path, BACK_ENDS):
                continue
            if name in first:
                broken.append(f"{path}:{line}: {name} is defined in {first[name]}, too")
            first.setdefault(name, f"{path}:{line}")
    return broken


def back_ends_by_name(root):
    """Outside the folders of back ends: no overload or specialisation for one, no CUDA, no OpenMP, no file for one back end."""
    named = re.compile(r"\b(Host|Cuda) const&|\b(Host|Cuda)> ?(=|\{)|__CUDA(CC|_ARCH)__|TESSERA_CUDA_UNIT|#pragma omp|<omp\.h>")
    broken = []
    for path in files(root, "packages"):
        if exempt(path, BACK_ENDS):
            continue
        if path.suffix == ".cuh" or re.search(r"_(host|cuda|driver|both|resident|instances)$", path.stem):
            broken.append(f"{path}: a file for one back end, or for a step of an operation")
        for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), start=1):
            found = named.search(line.split("//")[0])
            is_instance = found and path.suffix in (".cpp", ".cu") and found[1]  # x.cpp instantiates Host, x.cu Cuda
            if found and not is_instance:
                broken.append(f"{path}:{number}: {line.strip()[:80]}")
    return broken


def sources_that_nobody_builds(root):
    """Every source is named by the CMakeLists.txt of its folder, or of the next one above that has one."""
    broken = []
    for path in files(root, "packages", "src", "tests", suffixes={".cpp", ".cu"}):
        cmake = next(folder / "CMakeLists.txt" for folder in (root / path).parents if (folder / "CMakeLists.txt").exists() or folder == root)
        name = re.escape((root / path).relative_to(cmake.parent).as_posix())
        if not cmake.exists() or not re.search(rf"(?<![\w./]){name}(?![\w.])", cmake.read_text(encoding="utf-8")):
            broken.append(f"{path}: not named in {cmake.relative_to(root)}")
    return broken


def test_code_in_the_library(root):
    return [f"{path}:{line}: the library includes test code ({name})" for path in files(root, "packages", "src")
            for line, name, _, _ in includes(root / path) if TEST_ONLY.match(name)]


def shared_matrices_outside_their_tests(root):
    """Only suites SharedX read ../shared/matrices; twins.py counts their counterparts SmallX."""
    reads = re.compile(r"shared/matrices|TESSERA_MATRICES\b|\b(matrix_path|has_matrix|TESSERA_SKIP_WITHOUT_MATRIX)\(")
    broken = []
    for path in files(root, "tests", suffixes=CODE | {".py"}):
        if exempt(path, ("tests/support/matrices.hpp", "tests/architecture/")):
            continue
        suite = ""
        for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), start=1):
            test = re.match(r"TEST(?:_[FP])?\((\w+)", line)
            suite = test[1] if test else "" if line.startswith("}") else suite
            named = reads.search(line.split("//")[0])
            if named and not suite.startswith("Shared"):
                broken.append(f"{path}:{number}: {named[0]} outside of a test SharedX.Name, whose counterpart SmallX.Name needs no file")
    return broken


def places_in_messages(root):
    """Teuchos' macros begin a message with a place in the source, the number of the throw and a condition."""
    return [f"{path}:{number}: throw by parameters::require, whose text is the message alone" for path in files(root, "src")
            for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), start=1)
            if re.search(r"\bTEUCHOS_(TEST_FOR_|ASSERT)", line)]


def leaking_public_headers(root):
    """A public header stands alone in include/tessera: it includes public headers, Trilinos and the standard library."""
    broken = []
    for path in files(root, "src", suffixes=HEADERS):
        if not path.name.startswith("Tessera_"):
            continue
        for line, name, quoted, _ in includes(root / path):
            if quoted and not name.startswith("Tessera_") and not TRILINOS.match(name):
                broken.append(f"{path}:{line}: a public header includes the private {name}")
    return broken


def unguarded_headers(root):
    """#pragma once comes before all other code, so that a header included twice is included once."""
    broken = []
    for path in files(root, *FOLDERS, suffixes=HEADERS):
        code = (line.strip() for line in (root / path).read_text(encoding="utf-8").splitlines())
        first = next((line for line in code if line and not line.startswith(("//", "/*", "*"))), "")
        if first != "#pragma once":
            broken.append(f"{path}: does not begin with #pragma once")
    return broken


def own_header_not_first(root):
    """In src/, x.cpp includes x.hpp before anything else, which shows that x.hpp compiles alone."""
    broken = []
    for path in files(root, "src", suffixes={".cpp"}):
        if not (root / path).with_suffix(".hpp").exists():
            continue
        first = next(includes(root / path), (0, "nothing", True, False))
        if first[1].split("/")[-1] != path.with_suffix(".hpp").name:
            broken.append(f"{path}: includes {first[1]} before {path.with_suffix('.hpp').name}")
    return broken


def wrong_namespaces(root):
    """Folder = namespace; what every folder names without a prefix, core declares in Tessera itself."""
    broken = []
    for path in files(root, "packages"):
        text = (root / path).read_text(encoding="utf-8")
        wanted = "namespace Tessera" if path.parts[1] == "core" else f"namespace Tessera::{path.parts[1]}"
        if "namespace " in text and not re.search(wanted + r"\b", text):
            broken.append(f"{path}: has no {wanted}")
    return broken


def sizes(root):
    counts = {path: len((root / path).read_text(encoding="utf-8").splitlines())
              for path in files(root, *FOLDERS, suffixes=CODE | {".py", ".cmake"})}
    broken = [f"{path}: {count} lines, at most {LONGEST}" for path, count in counts.items() if count > LONGEST]
    library = [count for path, count in counts.items() if path.parts[0] in ("packages", "src")]
    if library and median(library) > LONGEST_MEDIAN:
        broken.append(f"the median file has {median(library)} lines, at most {LONGEST_MEDIAN}")
    return broken


def too_many_files(root):
    """packages/ and src/ stay small enough to read: few files of a good size rather than many short ones."""
    count = sum(path.is_file() and "__pycache__" not in path.parts for top in ("packages", "src") for path in (root / top).rglob("*"))
    return [f"packages and src: {count} files, at most {MOST_FILES}: merge short files that are read together"] if count > MOST_FILES else []


def unfinished_or_personal(root):
    """No notes of unfinished work, and no path of a developer's machine."""
    # Written so that this file does not match itself.
    marks = re.compile(r"\b(TO[D]O|FIX[M]E|X[X]X|HA[C]K)\b|(?<![\w.])/(hom[e]|wor[k]|roo[t]|User[s])/")
    broken = []
    for path in files(root, *FOLDERS, suffixes=TEXT):
        for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), start=1):
            if marks.search(line):
                broken.append(f"{path}:{number}: {line.strip()[:80]}")
    return broken


def misnumbered_decisions(root):
    """docs/decisions/NNNN-title.md counts up from 0001 without gaps, and its first line repeats the number."""
    broken = []
    for expected, path in enumerate(files(root, "docs/decisions", suffixes={".md"}), start=1):
        if not re.fullmatch(rf"{expected:04}-[a-z0-9-]+\.md", path.name):
            broken.append(f"{path}: expected {expected:04}-a-title.md")
        elif not re.match(rf"# {expected}\. \S", (root / path).read_text(encoding="utf-8")):
            broken.append(f"{path}: its first line is not '# {expected}. Title'")
    return broken


ALL = (include_edges, undeclared_dependencies, trilinos_in_packages, misplaced_cuda, cuda_by_compiler,
       bodies_on_one_back_end, twice_defined, private_rooms, formats_below_engines, back_ends_by_name, sources_that_nobody_builds, test_code_in_the_library,
       shared_matrices_outside_their_tests, places_in_messages, leaking_public_headers, unguarded_headers,
       own_header_not_first, wrong_namespaces, sizes, too_many_files, unfinished_or_personal, misnumbered_decisions)

# Checked by syntax alone: no Spack has run this recipe (README.md beside it).
from spack.package import *


class Tessera(CMakePackage, CudaPackage):
    """Aggregation AMG, matching AMG and FSAI preconditioners for Trilinos, on hosts and NVIDIA GPUs."""

    license("BSD-3-Clause")

    # The version stands in CMakeLists.txt alone; the sources come from a checkout (spack develop).
    version("main")

    variant("ml", default=False, description="Compare with ML, which Trilinos 17 no longer has")
    variant("muelu", default=True, description="Compare with MueLu")
    variant("stratimikos", default=True, description="Thyra factories for Stratimikos")
    variant("native", default=False, description="Compile for this machine's instruction set")

    depends_on("cxx", type="build")
    depends_on("cmake@3.23:", type="build")
    depends_on("ninja", type="build")
    depends_on("mpi")
    depends_on("lapack")
    depends_on("zlib-api")
    depends_on("xz")
    depends_on("boost@1.74:", type="build")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("cuda@12:", when="+cuda")

    depends_on("trilinos@13.2: +mpi +tpetra +belos +ifpack2 gotype=long_long cxxstd=17")
    depends_on("trilinos +epetra +ml", when="+ml")
    depends_on("trilinos +muelu", when="+muelu")
    depends_on("trilinos +thyra +stratimikos", when="+stratimikos")

    conflicts("cuda_arch=none", when="+cuda", msg="say which GPU, such as cuda_arch=90")

    generator("ninja")

    def cmake_args(self):
        names = {"ml": "ML", "muelu": "MueLu", "stratimikos": "Stratimikos"}
        arguments = [
            self.define_from_variant("TESSERA_ENABLE_CUDA", "cuda"),
            self.define_from_variant("TESSERA_NATIVE", "native"),
            self.define("TESSERA_TRILINOS_PACKAGES", [name for variant, name in names.items() if f"+{variant}" in self.spec]),
            self.define("TESSERA_BUILD_TESTS", False),
            self.define("TESSERA_BUILD_EXAMPLES", False),
            self.define("TESSERA_BUILD_BENCHMARKS", False),
        ]
        if "+cuda" in self.spec:
            arguments.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return arguments

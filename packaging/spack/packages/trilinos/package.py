# Checked by syntax alone: no Spack has run this recipe (README.md beside it).
from spack.package import *

try:  # Spack 1.0 and later
    from spack_repo.builtin.packages.trilinos.package import Trilinos as SpacksOwn
except ImportError:
    from spack.pkg.builtin.trilinos import Trilinos as SpacksOwn


class Trilinos(SpacksOwn):
    """Spack's Trilinos with Galeri, whose problems Tessera's gallery makes."""

    def cmake_args(self):
        return [*super().cmake_args(), self.define("Trilinos_ENABLE_Galeri", True)]

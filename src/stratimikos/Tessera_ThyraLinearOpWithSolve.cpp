#include "Tessera_ThyraLinearOpWithSolve.hpp"

#include "Tessera_ThyraLinearOpWithSolve_def.hpp"

namespace {
using Node = Tpetra::Map<>::node_type;
}

TESSERA_THYRALINEAROPWITHSOLVE_INSTANT(int, long long, Node)

#include "Tessera_ThyraLinearOpWithSolveFactory.hpp"

#include "Tessera_ThyraLinearOpWithSolveFactory_def.hpp"

namespace {
using Node = Tpetra::Map<>::node_type;
}

TESSERA_THYRALINEAROPWITHSOLVEFACTORY_INSTANT(int, long long, Node)

#include "Tessera_Fsai.hpp"

#include "Tessera_Fsai_def.hpp"

namespace {
using Node = Tpetra::Map<>::node_type;
}

TESSERA_FSAI_INSTANT(double, int, long long, Node)

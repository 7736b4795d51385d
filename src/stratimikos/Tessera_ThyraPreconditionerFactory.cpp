#include "Tessera_ThyraPreconditionerFactory.hpp"

#include "Tessera_ThyraPreconditionerFactory_def.hpp"

namespace {
using Node = Tpetra::Map<>::node_type;
}

TESSERA_THYRAPRECONDITIONERFACTORY_INSTANT(int, long long, Node)

#include "Tessera_SmoothedAggregation.hpp"

#include "Tessera_SmoothedAggregation_def.hpp"

namespace {
using Node = Tpetra::Map<>::node_type;
}

template class Tessera::Details::Preconditioner<Tpetra::RowMatrix<double, int, long long, Node>>;
TESSERA_SMOOTHEDAGGREGATION_INSTANT(double, int, long long, Node)

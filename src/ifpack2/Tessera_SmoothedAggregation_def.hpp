#pragma once
/// \file
/// Bodies of SmoothedAggregation; compiled ahead of time in Tessera_SmoothedAggregation.cpp.
#include "Tessera_Details_Preconditioner_def.hpp"
#include "Tessera_SmoothedAggregation_decl.hpp"

namespace Tessera {
namespace Details {

/// The hierarchy behind the class; defined for the one matrix type that Tessera is compiled for.
std::unique_ptr<Method<Tpetra::RowMatrix<double, int, long long>>> makeSmoothedAggregation();

}  // namespace Details

template <class MatrixType>
SmoothedAggregation<MatrixType>::SmoothedAggregation(
    Teuchos::RCP<typename Base::row_matrix_type const> const& A)
    : Base("Tessera::SmoothedAggregation", A, Details::makeSmoothedAggregation()) {}

template <class MatrixType>
SmoothedAggregation<MatrixType>::~SmoothedAggregation() = default;

}  // namespace Tessera

#define TESSERA_SMOOTHEDAGGREGATION_INSTANT(S, LO, GO, N) \
  template class Tessera::SmoothedAggregation<Tpetra::RowMatrix<S, LO, GO, N>>;

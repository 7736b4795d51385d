#pragma once
/// \file
/// Bodies of Fsai; compiled ahead of time in Tessera_Fsai.cpp.
#include "Tessera_Details_Preconditioner_def.hpp"
#include "Tessera_Fsai_decl.hpp"

namespace Tessera {
namespace Details {

/// The factor behind the class; defined for the one matrix type that Tessera is compiled for.
std::unique_ptr<Method<Tpetra::RowMatrix<double, int, long long>>> makeFsai();

}  // namespace Details

template <class MatrixType>
Fsai<MatrixType>::Fsai(Teuchos::RCP<typename Base::row_matrix_type const> const& A)
    : Base("Tessera::Fsai", A, Details::makeFsai()) {}

template <class MatrixType>
Fsai<MatrixType>::~Fsai() = default;

}  // namespace Tessera

#define TESSERA_FSAI_INSTANT(S, LO, GO, N) template class Tessera::Fsai<Tpetra::RowMatrix<S, LO, GO, N>>;

#pragma once
/// \file
/// Bodies of Factory. They are small, and Ifpack2's matrix types are many, so they stay in the header.
#include "Tessera_Factory_decl.hpp"

namespace Tessera {
namespace Details {

/// Whether our classes are compiled for matrices of these template arguments.
template <class MatrixType>
constexpr bool isCompiled() {
  return std::is_same<typename MatrixType::scalar_type, double>::value &&
         std::is_same<typename MatrixType::local_ordinal_type, int>::value &&
         std::is_same<typename MatrixType::global_ordinal_type, long long>::value &&
         std::is_same<typename MatrixType::node_type, Tpetra::Map<>::node_type>::value;
}

}  // namespace Details

template <class MatrixType>
Teuchos::RCP<Factory::preconditioner_type<MatrixType>> Factory::create(
    std::string const& name, Teuchos::RCP<MatrixType const> const& matrix) {
  return create<MatrixType>(name, matrix, 0);
}

template <class MatrixType>
Teuchos::RCP<Factory::preconditioner_type<MatrixType>> Factory::create(
    std::string const& name, Teuchos::RCP<MatrixType const> const& matrix, int overlap) {
  using row_matrix_type =
      Tpetra::RowMatrix<typename MatrixType::scalar_type, typename MatrixType::local_ordinal_type,
                        typename MatrixType::global_ordinal_type, typename MatrixType::node_type>;
  Teuchos::RCP<row_matrix_type const> const A = matrix;
  if constexpr (Details::isCompiled<row_matrix_type>()) {
    if (Details::isFsai(name)) return Teuchos::rcp(new Fsai<row_matrix_type>(A));
    if (Details::isOurs(name)) return Teuchos::rcp(new SmoothedAggregation<row_matrix_type>(A));
  }
  TEUCHOS_TEST_FOR_EXCEPTION(!Ifpack2::Factory::isSupported<row_matrix_type>(name), std::invalid_argument,
                             "Tessera::Factory::create: for this type of matrix there is no preconditioner \""
                                 << name << "\". Tessera has " << Details::ourNames()
                                 << "; Ifpack2 has RELAXATION, CHEBYSHEV, RILUK, ILUT, SCHWARZ and others.");
  return Ifpack2::Factory::create<row_matrix_type>(name, A, overlap);
}

template <class MatrixType>
bool Factory::isSupported(std::string const& name) {
  return (Details::isCompiled<MatrixType>() && Details::isOurs(name)) ||
         Ifpack2::Factory::isSupported<MatrixType>(name);
}

}  // namespace Tessera

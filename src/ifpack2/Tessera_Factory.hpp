#pragma once
/// \file
/// Preconditioners by name: those of Tessera, then those of Ifpack2. Templates, because Ifpack2 has many
/// matrix types.
#include <Ifpack2_Factory.hpp>

#include "Tessera_ClassicalAmg.hpp"
#include "Tessera_Details_Preconditioner.hpp"
#include "Tessera_Fsai.hpp"
#include "Tessera_MatchingAggregation.hpp"
#include "Tessera_RootNodeAggregation.hpp"
#include "Tessera_SmoothedAggregation.hpp"
#include "Tessera_UnsmoothedAggregation.hpp"

namespace Tessera {

/// The static functions of Ifpack2::Factory, extended by Tessera's names (docs/stability.md), in any case.
/// Other names are passed to Ifpack2::Factory, which cannot be extended itself.
class Factory {
 public:
  template <class MatrixType>
  using preconditioner_type =
      Ifpack2::Preconditioner<typename MatrixType::scalar_type, typename MatrixType::local_ordinal_type,
                              typename MatrixType::global_ordinal_type, typename MatrixType::node_type>;

  /// The preconditioner of this name for the matrix, which may be null. Neither initialized nor computed.
  /// overlap: for Ifpack2's Schwarz methods only. \throws std::invalid_argument, with the known names, for an
  /// unknown name
  template <class MatrixType>
  static Teuchos::RCP<preconditioner_type<MatrixType>> create(std::string const& name,
                                                              Teuchos::RCP<MatrixType const> const& matrix,
                                                              int overlap = 0) {
    using Matrix = Details::RowMatrixLike<MatrixType>;
    Teuchos::RCP<Matrix const> const A = matrix;
    if constexpr (is_compiled<Matrix>) {
      auto const ours = Details::create(name, A);
      if (!ours.is_null()) return ours;
    }
    if (!Ifpack2::Factory::isSupported<Matrix>(name))
      throw std::invalid_argument(
          "Tessera::Factory::create: for this type of matrix there is no preconditioner \"" + name +
          "\". Tessera has " + Details::ourNames() +
          "; Ifpack2 has RELAXATION, CHEBYSHEV, RILUK, ILUT, SCHWARZ and others.");
    return Ifpack2::Factory::create<Matrix>(name, A, overlap);
  }

  template <class MatrixType>
  static bool isSupported(std::string const& name) {
    return (is_compiled<Details::RowMatrixLike<MatrixType>> && Details::isOurs(name)) ||
           Ifpack2::Factory::isSupported<MatrixType>(name);
  }

 private:
  template <class Matrix>
  static constexpr bool is_compiled = std::is_same<Matrix, Details::Preconditioner::row_matrix_type>::value;
};

}  // namespace Tessera

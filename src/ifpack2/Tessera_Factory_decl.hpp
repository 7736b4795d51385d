#pragma once
/// \file
/// Preconditioners by name: ours, then Ifpack2's.
#include <Ifpack2_Factory.hpp>

#include "Tessera_Fsai_decl.hpp"
#include "Tessera_SmoothedAggregation_decl.hpp"

namespace Tessera {

/// The static functions of Ifpack2::Factory, with our names first: SA-AMG (also SMOOTHED AGGREGATION, SA,
/// TESSERA) and FSAI, in any case. Any other name is Ifpack2's. Ifpack2's own factory cannot be extended.
class Factory {
 public:
  template <class MatrixType>
  using preconditioner_type =
      Ifpack2::Preconditioner<typename MatrixType::scalar_type, typename MatrixType::local_ordinal_type,
                              typename MatrixType::global_ordinal_type, typename MatrixType::node_type>;

  /// The preconditioner of that name for the matrix, which may be null; neither initialized nor computed.
  /// \throws std::invalid_argument naming what there is, for an unknown name
  template <class MatrixType>
  static Teuchos::RCP<preconditioner_type<MatrixType>> create(std::string const& name,
                                                              Teuchos::RCP<MatrixType const> const& matrix);

  /// The same; overlap is for Ifpack2's Schwarz methods, ours have none.
  template <class MatrixType>
  static Teuchos::RCP<preconditioner_type<MatrixType>> create(std::string const& name,
                                                              Teuchos::RCP<MatrixType const> const& matrix,
                                                              int overlap);

  template <class MatrixType>
  static bool isSupported(std::string const& name);
};

namespace Details {
/// Whether the name is one of ours.
bool isOurs(std::string const& name);
/// Whether it is the name of Tessera::Fsai.
bool isFsai(std::string const& name);
/// Our names, for messages.
std::string ourNames();
}  // namespace Details

}  // namespace Tessera

#pragma once
/// \file
/// The residual at each iteration, read off what Belos prints: no other way works for every solver manager.
#include <Teuchos_ParameterList.hpp>
#include <sstream>
#include <utility>
#include <vector>

namespace Tessera::belos {

/// Asks a solver, through its list, to write a line an iteration to a stream that is read afterwards.
class BelosHistory {
 public:
  /// Leaves the list as it is unless `wanted`.
  BelosHistory(Teuchos::ParameterList& list, bool wanted);
  /// Adds what was seen: iterations counted on from `first_iteration`, residuals multiplied by `scale`. On
  /// the ranks that do not print nothing is added.
  void append(std::vector<std::pair<int, double>>& history, int first_iteration, double scale) const;

 private:
  Teuchos::RCP<std::ostringstream> stream_;
};

}  // namespace Tessera::belos

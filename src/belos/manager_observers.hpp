#pragma once
/// \file
/// Observation of a Belos solver manager: its products with the matrix, and the residual of each iteration.
#include <BelosTypes.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_Operator.hpp>
#include <cstdio>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "belos/Tessera_ResidentOperator.hpp"

namespace Tessera::belos {

/// Counts the applications of an operator for Tpetra's vectors or for Tessera's: the only record of the
/// iterations if a solver manager of Belos has thrown.
template <class OP>
class CountingOperator;

template <>
class CountingOperator<Tpetra::Operator<>> final : public Tpetra::Operator<> {
 public:
  using Vectors = Tpetra::MultiVector<>;
  using Map = Tpetra::Map<>;

  explicit CountingOperator(Teuchos::RCP<Tpetra::Operator<> const> A) : A_(std::move(A)) {}

  Teuchos::RCP<Map const> getDomainMap() const override { return A_->getDomainMap(); }
  Teuchos::RCP<Map const> getRangeMap() const override { return A_->getRangeMap(); }
  bool hasTransposeApply() const override { return A_->hasTransposeApply(); }
  void apply(Vectors const& X, Vectors& Y, Teuchos::ETransp mode, double alpha, double beta) const override {
    ++applications_;
    A_->apply(X, Y, mode, alpha, beta);
  }
  int applications() const { return applications_; }

 private:
  Teuchos::RCP<Tpetra::Operator<> const> A_;
  mutable int applications_ = 0;
};

template <>
class CountingOperator<ResidentOperator> final : public ResidentOperator {
 public:
  explicit CountingOperator(Teuchos::RCP<ResidentOperator const> A) : A_(std::move(A)) {}

  bool isSymmetric() const override { return A_->isSymmetric(); }
  void apply(ResidentMultiVector const& X, ResidentMultiVector& Y) const override {
    ++applications_;
    A_->apply(X, Y);
  }
  int applications() const { return applications_; }

 private:
  Teuchos::RCP<ResidentOperator const> A_;
  mutable int applications_ = 0;
};

/// The residuals that a solver manager prints, one line per iteration, to a stream set in its list: no other
/// way works for every solver manager.
class BelosHistory {
 public:
  /// Changes the list only if `wanted`.
  BelosHistory(Teuchos::ParameterList& list, bool wanted);
  /// Appends the iterations, counted from `first_iteration`, with residuals times `scale`. Appends nothing on
  /// ranks that do not print.
  void append(std::vector<std::pair<int, double>>& history, int first_iteration, double scale) const;

 private:
  Teuchos::RCP<std::ostringstream> stream_;
};

inline BelosHistory::BelosHistory(Teuchos::ParameterList& list, bool wanted) {
  if (!wanted) return;
  stream_ = Teuchos::rcp(new std::ostringstream);
  int const verbosity = list.isType<int>("Verbosity") ? list.get<int>("Verbosity") : 0;
  list.set("Verbosity", verbosity | Belos::IterationDetails | Belos::StatusTestDetails);
  list.set("Output Style", static_cast<int>(Belos::Brief));
  list.set("Output Frequency", 1);
  list.set("Output Stream", Teuchos::rcp_implicit_cast<std::ostream>(stream_));
}

inline void BelosHistory::append(std::vector<std::pair<int, double>>& history, int first_iteration,
                                 double scale) const {
  if (stream_.is_null()) return;
  std::istringstream lines(stream_->str());
  std::string line;
  while (std::getline(lines, line)) {
    auto const at = line.find("Iter ");
    int iteration = 0, system = 0;
    double residual = 0;
    if (at == std::string::npos) continue;
    if (std::sscanf(line.c_str() + at, "Iter %d, [%d] : %lf", &iteration, &system, &residual) != 3) continue;
    int const k = first_iteration + iteration;
    // The last iteration is printed twice (once as the final status), and a restart repeats its first.
    if (!history.empty() && history.back().first >= k) continue;
    history.emplace_back(k, residual * scale);
  }
}

}  // namespace Tessera::belos

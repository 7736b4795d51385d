#pragma once
/// \file
/// Ifpack2's semantics around a Method; see Ifpack2_Chebyshev_def.hpp for where they come from.
#include <Teuchos_TimeMonitor.hpp>
#include <Teuchos_TypeNameTraits.hpp>
#include <sstream>

#include "Tessera_Details_Preconditioner_decl.hpp"

namespace Tessera {
namespace Details {

/// Counts one call in a Teuchos timer, and its time in `total` (also when it throws).
class ScopedTimer {
 public:
  ScopedTimer(std::string const& name, bool in_monitor, double& total)
      : total_(total), start_(Teuchos::Time::wallTime()) {
    if (!in_monitor) return;
    auto timer = Teuchos::TimeMonitor::lookupCounter(name);
    if (timer.is_null()) timer = Teuchos::TimeMonitor::getNewCounter(name);
    monitor_ = std::make_unique<Teuchos::TimeMonitor>(*timer);
  }
  ~ScopedTimer() { total_ += Teuchos::Time::wallTime() - start_; }

 private:
  double& total_;
  double start_;
  std::unique_ptr<Teuchos::TimeMonitor> monitor_;
};

template <class MatrixType>
Preconditioner<MatrixType>::Preconditioner(std::string const& name,
                                           Teuchos::RCP<row_matrix_type const> const& A,
                                           std::unique_ptr<Method<MatrixType>> method)
    : name_(name), matrix_(A), method_(std::move(method)) {
  this->setObjectLabel(name);
}

template <class MatrixType>
Preconditioner<MatrixType>::~Preconditioner() = default;

template <class MatrixType>
void Preconditioner<MatrixType>::setParameters(Teuchos::ParameterList const& list) {
  method_->setParameters(list);
}

template <class MatrixType>
Teuchos::RCP<Teuchos::ParameterList const> Preconditioner<MatrixType>::getValidParameters() const {
  return method_->getValidParameters();
}

template <class MatrixType>
void Preconditioner<MatrixType>::setNearNullspace(Teuchos::RCP<multivector_type const> const& vectors) {
  method_->setNearNullspace(vectors);
}

template <class MatrixType>
void Preconditioner<MatrixType>::setCoordinates(Teuchos::RCP<multivector_type const> const& coordinates) {
  method_->setCoordinates(coordinates);
}

template <class MatrixType>
void Preconditioner<MatrixType>::setMatrix(Teuchos::RCP<row_matrix_type const> const& A) {
  if (A.getRawPtr() == matrix_.getRawPtr()) return;
  is_initialized_ = false;
  is_computed_ = false;
  matrix_ = A;
  if (A.is_null()) method_->reset();
}

template <class MatrixType>
void Preconditioner<MatrixType>::initialize() {
  require_matrix("initialize");
  ScopedTimer const timer(name_ + "::initialize", true, initialize_time_);
  is_initialized_ = false;
  is_computed_ = false;
  method_->reset();
  method_->initialize(*matrix_);
  is_initialized_ = true;
  ++num_initialize_;
}

template <class MatrixType>
void Preconditioner<MatrixType>::compute() {
  require_matrix("compute");
  bool const just_read = !is_initialized_;
  if (!is_initialized_) {
    if (method_->adopt(*matrix_)) {
      is_initialized_ = true;
      ++num_initialize_;
    } else {
      initialize();
    }
  }
  ScopedTimer const timer(name_ + "::compute", true, compute_time_);
  is_computed_ = false;
  try {
    method_->compute(*matrix_, just_read);
  } catch (...) {
    is_initialized_ = false;  // what is half made is of no use to the next compute()
    method_->reset();
    throw;
  }
  is_computed_ = true;
  ++num_compute_;
}

template <class MatrixType>
void Preconditioner<MatrixType>::apply(multivector_type const& X, multivector_type& Y, Teuchos::ETransp mode,
                                       scalar_type alpha, scalar_type beta) const {
  ScopedTimer const timer(name_ + "::apply", method_->timeApply(), apply_time_);
  TEUCHOS_TEST_FOR_EXCEPTION(!is_computed_, std::runtime_error,
                             name_ << "::apply: compute() must be called (and succeed) before apply().");
  TEUCHOS_TEST_FOR_EXCEPTION(X.getNumVectors() != Y.getNumVectors(), std::runtime_error,
                             name_ << "::apply: X has " << X.getNumVectors() << " columns and Y has "
                                   << Y.getNumVectors() << "; they must have equally many.");
  method_->requireRows(X, Y);
  TEUCHOS_TEST_FOR_EXCEPTION(
      mode != Teuchos::NO_TRANS && !method_->isSymmetric(), std::runtime_error,
      name_ << "::apply: the transpose can only be applied where pre- and postsmoothing "
               "match; set `smoother: pre or post` to both.");
  apply_checked(X, Y, mode, alpha, beta);
  ++num_apply_;
}

template <class MatrixType>
void Preconditioner<MatrixType>::apply_checked(multivector_type const& X, multivector_type& Y,
                                               Teuchos::ETransp /* symmetric */, scalar_type alpha,
                                               scalar_type beta) const {
  using STS = Teuchos::ScalarTraits<scalar_type>;
  if (alpha == STS::zero()) {
    if (beta == STS::zero()) {
      Y.putScalar(STS::zero());  // scale() would keep NaN
    } else {
      Y.scale(beta);
    }
    return;
  }
  bool const same_memory = X.aliases(Y);
  if (beta == STS::zero() && !same_memory) {
    method_->apply(X, Y);
    if (alpha != STS::one()) Y.scale(alpha);
    return;
  }
  multivector_type result(Y.getMap(), Y.getNumVectors(), false);
  method_->apply(X, result);
  if (beta == STS::zero()) {
    Y.putScalar(STS::zero());
    Y.update(alpha, result, STS::zero());
  } else {
    Y.update(alpha, result, beta);
  }
}

template <class MatrixType>
bool Preconditioner<MatrixType>::hasTransposeApply() const {
  return method_->isSymmetric();
}

template <class MatrixType>
void Preconditioner<MatrixType>::require_matrix(char const* function) const {
  TEUCHOS_TEST_FOR_EXCEPTION(
      matrix_.is_null(), std::runtime_error,
      name_ << "::" << function << ": there is no matrix; call setMatrix() with one before.");
}

template <class MatrixType>
Teuchos::RCP<typename Preconditioner<MatrixType>::map_type const> Preconditioner<MatrixType>::getDomainMap()
    const {
  require_matrix("getDomainMap");
  return matrix_->getDomainMap();
}

template <class MatrixType>
Teuchos::RCP<typename Preconditioner<MatrixType>::map_type const> Preconditioner<MatrixType>::getRangeMap()
    const {
  require_matrix("getRangeMap");
  return matrix_->getRangeMap();
}

template <class MatrixType>
Teuchos::RCP<Teuchos::Comm<int> const> Preconditioner<MatrixType>::getComm() const {
  require_matrix("getComm");
  return matrix_->getRowMap()->getComm();
}

template <class MatrixType>
multigrid::HierarchyReport const* Preconditioner<MatrixType>::hierarchyReport() const {
  return is_computed_ ? method_->hierarchyReport() : nullptr;
}

template <class MatrixType>
std::string Preconditioner<MatrixType>::description() const {
  std::ostringstream out;
  out << "\"" << name_ << "\": {Initialized: " << (is_initialized_ ? "true" : "false")
      << ", Computed: " << (is_computed_ ? "true" : "false");
  for (auto const& fact : method_->facts()) out << ", " << fact.first << ": " << fact.second;
  if (matrix_.is_null()) {
    out << ", Matrix: null";
  } else {
    out << ", Global matrix dimensions: [" << matrix_->getGlobalNumRows() << ", "
        << matrix_->getGlobalNumCols() << "], Global nnz: " << matrix_->getGlobalNumEntries();
  }
  out << "}";
  return out.str();
}

template <class MatrixType>
void Preconditioner<MatrixType>::print_state(std::ostream& out) const {
  out << "Initialized: " << (is_initialized_ ? "true" : "false") << "\n"
      << "Computed: " << (is_computed_ ? "true" : "false") << "\n";
  for (auto const& fact : method_->facts()) out << fact.first << ": " << fact.second << "\n";
}

template <class MatrixType>
void Preconditioner<MatrixType>::describe(Teuchos::FancyOStream& out, Teuchos::EVerbosityLevel level) const {
  Teuchos::EVerbosityLevel const wanted = level == Teuchos::VERB_DEFAULT ? Teuchos::VERB_LOW : level;
  if (wanted == Teuchos::VERB_NONE) return;
  // What needs all ranks is done on all of them before one of them prints.
  std::string const report = is_computed_ ? method_->report(wanted) : std::string();
  std::ostringstream matrix;
  if (matrix_.is_null()) {
    matrix << "Matrix: null\n";
  } else {
    matrix << "Global matrix dimensions: [" << matrix_->getGlobalNumRows() << ", "
           << matrix_->getGlobalNumCols() << "]\nGlobal nnz: " << matrix_->getGlobalNumEntries() << "\n";
  }
  if (!matrix_.is_null() && getComm()->getRank() != 0) return;
  Teuchos::OSTab const tab(out);
  out << "\"" << name_ << "\":\n";
  Teuchos::OSTab const inner(out);
  if (wanted >= Teuchos::VERB_HIGH) {
    out << "Template parameters: {Scalar: " << Teuchos::TypeNameTraits<scalar_type>::name()
        << ", LocalOrdinal: " << Teuchos::TypeNameTraits<local_ordinal_type>::name()
        << ", GlobalOrdinal: " << Teuchos::TypeNameTraits<global_ordinal_type>::name()
        << ", Node: " << Teuchos::TypeNameTraits<node_type>::name() << "}\n";
  }
  print_state(out);
  out << matrix.str() << report;
  if (wanted >= Teuchos::VERB_MEDIUM) {
    out << "Call counts: {initialize: " << num_initialize_ << ", compute: " << num_compute_
        << ", apply: " << num_apply_ << "}\n"
        << "Total times in seconds: {initialize: " << initialize_time_ << ", compute: " << compute_time_
        << ", apply: " << apply_time_ << "}\n";
  }
}

}  // namespace Details
}  // namespace Tessera

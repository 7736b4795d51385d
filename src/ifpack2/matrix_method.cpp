#include "ifpack2/matrix_method.hpp"

#include <Teuchos_VerboseObject.hpp>
#include <cmath>
#include <sstream>
#include <utility>

#include "core/parallel.hpp"
#include "parameters/parse.hpp"
#include "parameters/table.hpp"
#include "parameters/valid_parameters.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::ifpack2 {
namespace {

/// The list as YAML, sublists of parameters as maps; what programs hand over (user data) is left out.
void print(Teuchos::ParameterList const& list, std::string const& indent, std::ostream& out) {
  for (auto it = list.begin(); it != list.end(); ++it) {
    std::string const& name = list.name(it);
    if (name == "user data" || name == "VerboseObject") continue;
    out << indent << "\"" << name << "\":";
    if (list.isSublist(name)) {
      out << "\n";
      print(list.sublist(name), indent + "  ", out);
    } else {
      out << " " << Teuchos::toString(list.entry(it).getAny(false)) << "\n";
    }
  }
}

struct Magnitude {
  double const* value;
  double operator()(std::size_t i) const { return std::abs(value[i]); }
};

/// Of all ranks, in magnitude.
double largest_entry(comm::DistCsr<double, Host> const& A) {
  auto const& value = A.local.value;
  double largest = 0;
  comm::together(A.rows.comm(), [&] {
    largest =
        A.rows.comm().max(core::reduce(Host{}, value.size(), Magnitude{value.data()}, core::Max{}, 0.0));
  });
  return largest;
}

/// A cycle in float works with values, their inverses and residuals, all of which must stay away from float's
/// limits, 1e-38 and 3e38.
void require_range_of_float(double largest) {
  TESSERA_VALIDATE(
      largest == 0 || (largest > 1e-25 && largest < 1e25) || !std::isfinite(largest),
      "the largest entry of the matrix is ", largest,
      ", too far from 1 for a preconditioner in float; set `precision: hierarchy` to double, or scale "
      "the system");
}

}  // namespace

void MatrixMethod::setParameters(Teuchos::ParameterList const& list) {
  std::vector<std::string> warnings;
  parameters::Settings const settings = parameters::parse(list, &warnings, words_.algorithm);
  require_mine(settings);
  UserData const data = user_data(list);
  require_backend(settings);
  Teuchos::ParameterList copy = list;
  // From here on nothing throws.
  if (!Teuchos::haveSameValues(list_, copy)) {
    setup_is_stale_ = true;
    backend_.reset();
  }
  list_ = copy;
  settings_ = settings;
  from_list_ = data;
  if (settings.verbosity != parameters::Verbosity::none && !warnings.empty()) {
    auto const out = Teuchos::VerboseObjectBase::getDefaultOStream();
    for (auto const& warning : warnings) *out << "Tessera: warning: " << warning << "\n";
  }
}

Teuchos::RCP<Teuchos::ParameterList const> MatrixMethod::getValidParameters() const {
  return parameters::valid_parameters();
}

void MatrixMethod::setNearNullspace(MultiVectorPointer const& vectors) {
  if (vectors.getRawPtr() != from_setters_.nullspace.getRawPtr()) setup_is_stale_ = true;
  from_setters_.nullspace = vectors;
}

void MatrixMethod::setCoordinates(MultiVectorPointer const& coordinates) {
  if (coordinates.getRawPtr() != from_setters_.coordinates.getRawPtr()) setup_is_stale_ = true;
  from_setters_.coordinates = coordinates;
}

UserData MatrixMethod::data() const {
  return {from_list_.nullspace.is_null() ? from_setters_.nullspace : from_list_.nullspace,
          from_list_.coordinates.is_null() ? from_setters_.coordinates : from_list_.coordinates};
}

void MatrixMethod::reset() {
  operator_.reset();
  imported_.reset();
  backend_.reset();
  row_map_ = column_map_ = Teuchos::null;
  keep_as_is_ = false;
  done_ = Done::nothing;
}

bool MatrixMethod::adopt(tpetra::RowMatrix const& A) {
  if (settings_.reuse == parameters::Reuse::none || !operator_ || !imported_ || setup_is_stale_) return false;
  if (!A.isFillComplete() || !A.getRowMap()->isSameAs(*row_map_) || !A.getColMap()->isSameAs(*column_map_))
    return false;
  try {
    tpetra::import_values(A, *imported_);
    largest_ = largest_entry(imported_->A);
  } catch (tpetra::PatternChanged const&) {
    return false;
  }
  row_map_ = A.getRowMap();
  column_map_ = A.getColMap();
  keep_as_is_ = settings_.reuse == parameters::Reuse::full;
  return true;
}

void MatrixMethod::initialize(tpetra::RowMatrix const& A) {
  imported_.emplace(tpetra::import_matrix(A));
  largest_ = largest_entry(imported_->A);
  row_map_ = A.getRowMap();
  column_map_ = A.getColMap();
  comm::together(imported_->A.rows.comm(), [&] { imported(*row_map_); });
}

void MatrixMethod::take_values(tpetra::RowMatrix const& A) {
  try {
    if (imported_) {
      tpetra::import_values(A, *imported_);
      largest_ = largest_entry(imported_->A);
      return;
    }
  } catch (tpetra::PatternChanged const&) {  // on all ranks: what was made of the old pattern is of no use
  }
  reset();
  initialize(A);
}

void MatrixMethod::compute(tpetra::RowMatrix const& A, bool just_read) {
  if (!just_read) take_values(A);
  comm::together(imported_->A.rows.comm(), [&] {
    compute_imported();
    announce(A.getComm()->getRank());
  });
}

void MatrixMethod::compute_imported() {
  bool const keep = std::exchange(keep_as_is_, false);
  if (settings_.precision == parameters::Precision::single) require_range_of_float(largest_);
  if (!operator_ || setup_is_stale_) {
    make();
    done_ = Done::setup;
  } else if (keep) {
    done_ = Done::reuse;
  } else {
    operator_->refresh(imported_->A);
    done_ = Done::refresh;
  }
}

void MatrixMethod::make() {
  operator_.reset();  // before the new one needs the memory
  if (!backend_) backend_ = choose_backend(settings_, imported_->A.rows.comm());
  operator_ = set_up(*backend_, imported_->A);
  setup_is_stale_ = false;
}

void MatrixMethod::apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y) {
  if (settings_.verbosity != parameters::Verbosity::none) say_staging(Y.getMap()->getComm()->getRank());
  operator_->apply(X, Y);
}

void MatrixMethod::say_staging(int rank) const {
  static bool said = false;  // once for the process: a program may make many preconditioners
  if (said || operator_->staged_bytes() == 0) return;
  said = true;
  if (rank != 0) return;
  *Teuchos::VerboseObjectBase::getDefaultOStream()
      << "Tessera: vectors lie on the host and the " << words_.thing << " on " << operator_->device()
      << ": each apply() copies " << operator_->staged_bytes()
      << " bytes a column between them (rank 0); Tessera::solve leaves vectors on the GPU.\n";
}

std::vector<std::pair<std::string, std::string>> MatrixMethod::facts() const {
  char const* const last[] = {"nothing", "setup", words_.refresh, words_.reuse};
  bool const single = settings_.precision == parameters::Precision::single;
  return {{"Backend", backend_ ? backend_->words : planned_backend(settings_)},
          {"Precision", single ? "float" : "double"},
          {"Last compute", "\"" + std::string(last[static_cast<int>(done_)]) + "\""}};
}

multigrid::HierarchyReport const* MatrixMethod::hierarchyReport() {
  return operator_ ? operator_->hierarchy_report() : nullptr;
}

std::string MatrixMethod::report(Teuchos::EVerbosityLevel level) {
  if (!operator_) return {};
  std::ostringstream out;
  if (level >= Teuchos::VERB_MEDIUM) {
    out << (list_.numParams() == 0 ? "Parameters: {}\n" : "Parameters:\n");
    print(list_, "  ", out);
  }
  out << table(*operator_, level);
  return out.str();
}

void MatrixMethod::announce(int rank) {
  using parameters::Verbosity;
  if (settings_.verbosity == Verbosity::none) return;
  std::ostringstream text;
  if (settings_.verbosity == Verbosity::low) {
    for (auto const& warning : operator_->warnings()) text << "Tessera: warning: " << warning << "\n";
  } else {
    auto const level = settings_.verbosity == Verbosity::medium ? Teuchos::VERB_LOW
                       : settings_.verbosity == Verbosity::high ? Teuchos::VERB_HIGH
                                                                : Teuchos::VERB_EXTREME;
    text << words_.name << "\n" << report(level);
  }
  if (rank == 0) *Teuchos::VerboseObjectBase::getDefaultOStream() << text.str() << std::flush;
}

}  // namespace Tessera::ifpack2

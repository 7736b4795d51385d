#include "ifpack2/matrix_method.hpp"

#include <Teuchos_VerboseObject.hpp>
#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "comm/pending_max.hpp"
#include "core/parallel.hpp"
#include "ifpack2/range_of_float.hpp"
#include "parameters/parse.hpp"
#include "parameters/table.hpp"
#include "parameters/valid_parameters.hpp"
#include "sparse/columns.hpp"
#include "tpetra/compatibility.hpp"
#include "tpetra/device_columns.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::ifpack2 {
namespace {

char const* const reading = "reading";  ///< of Tpetra's matrix

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
  comm::agree_on_errors(A.rows.comm(), [&] {
    largest =
        A.rows.comm().max(core::reduce(Host{}, value.size(), Magnitude{value.data()}, core::Max{}, 0.0));
  });
  return largest;
}

/// What the list gives goes before.
UserData first_of(UserData const& list, UserData const& setters) {
  return {list.nullspace.is_null() ? setters.nullspace : list.nullspace,
          list.coordinates.is_null() ? setters.coordinates : list.coordinates};
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

/// Of each column on this rank, in magnitude.
std::vector<double> largest_of_columns(tpetra::MultiVector const& X) {
  tpetra::ReadColumns const columns(X);
  std::vector<double const*> pointers;
  for (std::size_t c = 0; c < columns.size(); ++c) pointers.push_back(columns[c].data());
  return sparse::absolute_maxima(Host{}, X.getLocalLength(), {pointers.data(), pointers.size()});
}

}  // namespace

MatrixMethod::MatrixMethod(MethodTraits const& traits) : traits_(traits), said_(said({}, {})) {
  settings_.algorithm = traits.algorithm;
}

void MatrixMethod::setParameters(Teuchos::ParameterList const& list) {
  std::vector<std::string> warnings;
  parameters::Settings const settings = parameters::parse(list, &warnings, traits_.algorithm);
  require_mine(settings);
  UserData const data = user_data(list);
  require_backend(settings);
  auto same = said(list, first_of(data, from_setters_));
  Teuchos::ParameterList copy = list;
  // From here on nothing throws.
  if (!Teuchos::haveSameValues(list_, copy)) {
    setup_is_stale_ = true;
    backend_.reset();
  }
  list_ = copy;
  settings_ = settings;
  from_list_ = data;
  said_ = std::move(same);
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
  said_ = said(list_, data());
}

void MatrixMethod::setCoordinates(MultiVectorPointer const& coordinates) {
  if (coordinates.getRawPtr() != from_setters_.coordinates.getRawPtr()) setup_is_stale_ = true;
  from_setters_.coordinates = coordinates;
  said_ = said(list_, data());
}

UserData MatrixMethod::data() const {
  return first_of(from_list_, from_setters_);
}

parameters::Said MatrixMethod::said(Teuchos::ParameterList const& list, UserData const& data) const {
  auto const columns = [](MultiVectorPointer const& X) {
    return X.is_null() ? "not given" : core::message("of ", X->getNumVectors(), " columns");
  };
  parameters::Said all{{"class", traits_.name}};
  for (auto& one : parameters::parsed_values(list)) {
    if (one.first != "backend: device") all.push_back(std::move(one));
  }
  all.emplace_back("Nullspace", columns(data.nullspace));
  all.emplace_back("Coordinates", columns(data.coordinates));
  return all;
}

void MatrixMethod::require_same_on_all_ranks(tpetra::RowMatrix const& A) const {
  parameters::require_same_on_all_ranks(*A.getComm(), said_);
}

void MatrixMethod::reset() {
  operator_.reset();
  imported_.reset();
  backend_.reset();
  row_map_ = column_map_ = map_of_X_ = map_of_Y_ = Teuchos::null;
  keep_as_is_ = false;
  done_ = Done::nothing;
}

bool MatrixMethod::adopt(tpetra::RowMatrix const& A) {
  require_same_on_all_ranks(A);
  if (settings_.reuse == parameters::Reuse::none || !operator_ || !imported_ || setup_is_stale_) return false;
  if (!A.isFillComplete() || !A.getRowMap()->isSameAs(*row_map_) || !A.getColMap()->isSameAs(*column_map_))
    return false;
  try {
    read_values(A);
  } catch (tpetra::PatternChanged const&) {
    return false;
  }
  row_map_ = A.getRowMap();
  column_map_ = A.getColMap();
  keep_as_is_ = settings_.reuse == parameters::Reuse::full;
  return true;
}

void MatrixMethod::initialize(tpetra::RowMatrix const& A) {
  require_same_on_all_ranks(A);
  core::PhaseTimer<Host> const timer(Host{}, times_, reading);
  imported_.emplace(tpetra::import_matrix(A));
  largest_ = largest_entry(imported_->A);
  comm_ = imported_->A.rows.comm();
  row_map_ = map_of_X_ = map_of_Y_ = A.getRowMap();
  column_map_ = A.getColMap();
  comm::agree_on_errors(comm_, [&] { imported(*row_map_); });
  // Here and not in compute(), where loading kernels would be a part of the first setup.
  if (!backend_) backend_ = choose_backend(settings_, comm_);
}

void MatrixMethod::read_values(tpetra::RowMatrix const& A) {
  core::PhaseTimer<Host> const timer(Host{}, times_, reading);
  tpetra::import_values(A, *imported_);
  largest_ = largest_entry(imported_->A);
}

void MatrixMethod::take_values(tpetra::RowMatrix const& A) {
  try {
    if (imported_) return read_values(A);
  } catch (tpetra::PatternChanged const&) {  // on all ranks: what was made of the old pattern is of no use
  }
  reset();
  initialize(A);
}

void MatrixMethod::compute(tpetra::RowMatrix const& A, bool just_read) {
  if (!just_read) {
    require_same_on_all_ranks(A);
    take_values(A);
  }
  comm::agree_on_errors(imported_->A.rows.comm(), [&] {
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
    operator_->replace_values(imported_->A);
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

void MatrixMethod::requireRows(tpetra::MultiVector const& X, tpetra::MultiVector const& Y) {
  auto const of_X = X.getMap(), of_Y = Y.getMap();
  auto const known = [this](auto const& map, auto const& accepted) {
    return map.getRawPtr() == row_map_.getRawPtr() || map.getRawPtr() == accepted.getRawPtr();
  };
  if (known(of_X, map_of_X_) && known(of_Y, map_of_Y_)) return;
  comm::agree_on_errors(comm_, [&] {
    auto const rows = tpetra::local_size(*row_map_);
    for (auto const& [name, vector] : {std::pair("X", &X), std::pair("Y", &Y)}) {
      TESSERA_VALIDATE(vector->getLocalLength() == rows, traits_.name, "::apply: ", name, " has ",
                       vector->getLocalLength(), " rows on rank ", comm_.rank(), ", where the matrix has ",
                       rows, "; make it on the matrix' row map");
    }
  });
  map_of_X_ = of_X;
  map_of_Y_ = of_Y;
}

void MatrixMethod::apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y) {
  if (settings_.verbosity != parameters::Verbosity::none) say_staging(Y.getMap()->getComm()->getRank());
  if (settings_.precision == parameters::Precision::single && !tpetra::vectors_on_device) {
    apply_in_float(X, Y);
  } else {
    operator_->apply(X, Y);
  }
}

/// M^-1 (a b) = a M^-1 b, and powers of two change no bit of what is neither too large nor too small for
/// float. With several ranks the largest entries are under way while M^-1 is applied as if they were
/// ordinary.
void MatrixMethod::apply_in_float(tpetra::MultiVector const& X, tpetra::MultiVector& Y) {
  comm::PendingMax largest(comm_, largest_of_columns(X));
  bool const ahead = comm_.size() > 1;
  if (ahead) operator_->apply(X, Y);
  Teuchos::Array<double> up, down;
  for (double const entry : largest.get()) {
    up.push_back(scale_for_float(entry, largest_));
    down.push_back(1 / up.back());
  }
  if (std::all_of(up.begin(), up.end(), [](double scale) { return scale == 1; })) {
    if (!ahead) operator_->apply(X, Y);
    return;
  }
  tpetra::MultiVector scaled(X, Teuchos::Copy);
  scaled.scale(down());
  operator_->apply(scaled, Y);
  Y.scale(up());
}

void MatrixMethod::say_staging(int rank) const {
  static bool said = false;  // once for the process: a program may make many preconditioners
  if (said || operator_->staged_bytes() == 0) return;
  said = true;
  if (rank != 0) return;
  *Teuchos::VerboseObjectBase::getDefaultOStream()
      << "Tessera: vectors lie on the host and the " << traits_.thing << " on " << operator_->device()
      << ": each apply() copies " << operator_->staged_bytes()
      << " bytes a column between them (rank 0); Tessera::solve leaves vectors on the GPU.\n";
}

double MatrixMethod::readingSeconds() const {
  auto const found = times_.find(reading);
  return found == times_.end() ? 0 : found->second;
}

std::string MatrixMethod::lastCompute() const {
  char const* const last[] = {"nothing", "setup", traits_.refresh, traits_.reuse};
  return last[static_cast<int>(done_)];
}

std::vector<std::pair<std::string, std::string>> MatrixMethod::facts() const {
  bool const single = settings_.precision == parameters::Precision::single;
  std::vector<std::pair<std::string, std::string>> facts{
      {"Backend", backend_ ? backend_->words : planned_backend(settings_)},
      {"Precision", single ? "float" : "double"},
      {"Last compute", "\"" + lastCompute() + "\""}};
  if (single)
    facts.emplace_back(
        "Meant for",
        "\"CG and flexible solvers; others, such as GMRES, need precision: hierarchy = double\"");
  return facts;
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
    text << traits_.name << "\n" << report(level);
  }
  if (rank == 0) *Teuchos::VerboseObjectBase::getDefaultOStream() << text.str() << std::flush;
}

}  // namespace Tessera::ifpack2

#include "ifpack2/smoothed_aggregation_method.hpp"

#include <Teuchos_VerboseObject.hpp>
#include <cmath>
#include <sstream>
#include <utility>

#include "core/parallel.hpp"
#include "ifpack2/Tessera_SmoothedAggregation_def.hpp"
#include "ifpack2/hierarchy_table.hpp"
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
  return A.rows.comm().max(core::reduce(Host{}, value.size(), Magnitude{value.data()}, core::Max{}, 0.0));
}

/// A cycle in float works with values, their inverses and residuals, all of which must stay away from float's
/// limits, 1e-38 and 3e38.
void require_range_of_float(double largest) {
  TESSERA_VALIDATE(
      largest == 0 || (largest > 1e-25 && largest < 1e25) || !std::isfinite(largest),
      "the largest entry of the matrix is ", largest,
      ", too far from 1 for a hierarchy in float; set `precision: hierarchy` to double, or scale "
      "the system");
}

/// A name for each node: that of its first row.
std::vector<VertexId> node_ids(std::vector<VertexId> row_ids, int equations) {
  if (equations == 1) return row_ids;
  std::vector<VertexId> ids(row_ids.size() / equations);
  for (std::size_t node = 0; node < ids.size(); ++node) ids[node] = row_ids[node * equations];
  return ids;
}

}  // namespace

void SmoothedAggregationMethod::setParameters(Teuchos::ParameterList const& list) {
  std::vector<std::string> warnings;
  parameters::Settings const settings = parameters::parse(list, &warnings);
  UserData const data = user_data(list);
  require_backend(settings);
  Teuchos::ParameterList copy = list;
  // From here on nothing throws.
  if (!Teuchos::haveSameValues(list_, copy)) {
    setup_is_stale_ = true;
    backend_.reset();
  }
  list_ = std::move(copy);
  settings_ = settings;
  from_list_ = data;
  if (settings.verbosity != parameters::Verbosity::none && !warnings.empty()) {
    auto const out = Teuchos::VerboseObjectBase::getDefaultOStream();
    for (auto const& warning : warnings) *out << "Tessera: warning: " << warning << "\n";
  }
}

Teuchos::RCP<Teuchos::ParameterList const> SmoothedAggregationMethod::getValidParameters() const {
  return parameters::valid_parameters();
}

void SmoothedAggregationMethod::setNearNullspace(MultiVectorPointer const& vectors) {
  if (vectors.getRawPtr() != from_setters_.nullspace.getRawPtr()) setup_is_stale_ = true;
  from_setters_.nullspace = vectors;
}

void SmoothedAggregationMethod::setCoordinates(MultiVectorPointer const& coordinates) {
  if (coordinates.getRawPtr() != from_setters_.coordinates.getRawPtr()) setup_is_stale_ = true;
  from_setters_.coordinates = coordinates;
}

UserData SmoothedAggregationMethod::data() const {
  return {from_list_.nullspace.is_null() ? from_setters_.nullspace : from_list_.nullspace,
          from_list_.coordinates.is_null() ? from_setters_.coordinates : from_list_.coordinates};
}

void SmoothedAggregationMethod::keepMatrix(bool keep) {
  if (keep && !matrix_is_kept()) setup_is_stale_ = true;
  keep_matrix_ = keep;
}

void SmoothedAggregationMethod::reset() {
  hierarchy_.reset();
  imported_.reset();
  row_ids_ = {};
  backend_.reset();
  row_map_ = column_map_ = Teuchos::null;
  keep_as_is_ = false;
  done_ = Done::nothing;
}

bool SmoothedAggregationMethod::adopt(tpetra::RowMatrix const& A) {
  if (settings_.reuse == parameters::Reuse::none || !hierarchy_ || !imported_ || setup_is_stale_)
    return false;
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

void SmoothedAggregationMethod::initialize(tpetra::RowMatrix const& A) {
  imported_.emplace(tpetra::import_matrix(A));
  largest_ = largest_entry(imported_->A);
  row_ids_ = tpetra::row_ids(*A.getRowMap());
  row_map_ = A.getRowMap();
  column_map_ = A.getColMap();
}

void SmoothedAggregationMethod::take_values(tpetra::RowMatrix const& A) {
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

void SmoothedAggregationMethod::compute(tpetra::RowMatrix const& A, bool just_read) {
  if (!just_read) take_values(A);
  bool const keep = std::exchange(keep_as_is_, false);
  if (settings_.precision == parameters::Precision::single) require_range_of_float(largest_);
  if (!hierarchy_ || setup_is_stale_ || !settings_.multigrid.keep_for_refresh) {
    set_up();
    done_ = Done::setup;
  } else if (keep) {
    done_ = Done::reuse;
  } else {
    hierarchy_->refresh(imported_->A);
    done_ = Done::refresh;
  }
  if (!matrix_is_kept()) imported_.reset();
  announce(A.getComm()->getRank());
}

void SmoothedAggregationMethod::set_up() {
  hierarchy_.reset();  // before the new one needs the memory
  auto const& matrix = imported_->A;
  auto const& comm = matrix.rows.comm();
  int const equations = settings_.multigrid.equations;
  auto const rows = static_cast<std::size_t>(matrix.rows.local_size());
  comm::together(comm, [&] {
    TESSERA_VALIDATE(rows % static_cast<std::size_t>(equations) == 0, "rank ", comm.rank(), " has ", rows,
                     " rows, which are not whole nodes of `number of equations` = ", equations,
                     " rows each; distribute the matrix by nodes, or correct the number");
  });
  auto const nullspace = near_nullspace(comm, data(), rows, equations);
  if (row_ids_.empty()) row_ids_ = tpetra::row_ids(*row_map_);  // the setup before this one took them
  auto const ids = node_ids(std::exchange(row_ids_, {}), equations);
  if (!backend_) backend_ = choose_backend(settings_, comm);
  hierarchy_ = ifpack2::set_up(*backend_, {matrix, ids, nullspace, settings_, matrix_is_kept()});
  setup_is_stale_ = false;
}

void SmoothedAggregationMethod::apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y) {
  if (settings_.verbosity != parameters::Verbosity::none) say_staging(Y.getMap()->getComm()->getRank());
  hierarchy_->apply(X, Y);
}

void SmoothedAggregationMethod::say_staging(int rank) const {
  static bool said = false;  // once for the process: a program may make many preconditioners
  if (said || hierarchy_->staged_bytes() == 0) return;
  said = true;
  if (rank != 0) return;
  *Teuchos::VerboseObjectBase::getDefaultOStream()
      << "Tessera: vectors lie on the host and the hierarchy on " << hierarchy_->device()
      << ": each apply() copies " << hierarchy_->staged_bytes()
      << " bytes a column between them (rank 0); Tessera::solve leaves vectors on the GPU.\n";
}

bool SmoothedAggregationMethod::isSymmetric() const {
  auto const when = settings_.multigrid.smoother.pre_or_post;
  return when == multigrid::PreOrPost::both || when == multigrid::PreOrPost::none;
}

std::vector<std::pair<std::string, std::string>> SmoothedAggregationMethod::facts() const {
  char const* const last[] = {"nothing", "setup", "refresh (aggregates and patterns kept)",
                              "reuse (hierarchy kept)"};
  bool const single = settings_.precision == parameters::Precision::single;
  return {{"Backend", backend_ ? backend_->words : planned_backend(settings_)},
          {"Precision", single ? "float" : "double"},
          {"Last compute", "\"" + std::string(last[static_cast<int>(done_)]) + "\""}};
}

multigrid::HierarchyReport const* SmoothedAggregationMethod::hierarchyReport() {
  return hierarchy_ ? &hierarchy_->report() : nullptr;
}

std::string SmoothedAggregationMethod::report(Teuchos::EVerbosityLevel level) {
  if (!hierarchy_) return {};
  auto const& report = *hierarchyReport();
  std::ostringstream out;
  if (level >= Teuchos::VERB_MEDIUM) {
    out << (list_.numParams() == 0 ? "Parameters: {}\n" : "Parameters:\n");
    print(list_, "  ", out);
  }
  out << hierarchy_table(report);
  if (level >= Teuchos::VERB_HIGH) out << phase_table(report);
  return out.str();
}

void SmoothedAggregationMethod::announce(int rank) {
  using parameters::Verbosity;
  if (settings_.verbosity == Verbosity::none) return;
  std::ostringstream text;
  if (settings_.verbosity == Verbosity::low) {
    for (auto const& warning : hierarchy_->warnings()) text << "Tessera: warning: " << warning << "\n";
  } else {
    auto const level = settings_.verbosity == Verbosity::medium ? Teuchos::VERB_LOW
                       : settings_.verbosity == Verbosity::high ? Teuchos::VERB_HIGH
                                                                : Teuchos::VERB_EXTREME;
    text << "Tessera::SmoothedAggregation\n" << report(level);
  }
  if (rank == 0) *Teuchos::VerboseObjectBase::getDefaultOStream() << text.str() << std::flush;
}

}  // namespace Tessera::ifpack2

namespace Tessera::Details {

std::unique_ptr<Method<Tpetra::RowMatrix<double, int, long long>>> makeSmoothedAggregation() {
  return std::make_unique<ifpack2::SmoothedAggregationMethod>();
}

}  // namespace Tessera::Details

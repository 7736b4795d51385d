#include "ifpack2/preconditioner_impl.hpp"

#include <algorithm>
#include <utility>

#include "comm/communicator.hpp"
#include "ifpack2/user_data.hpp"
#include "multigrid/node_data.hpp"
#include "parameters/parse.hpp"
#include "parameters/valid_parameters.hpp"
#include "tpetra/matrix_checks.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::ifpack2 {
namespace {

char const* const reading = "reading";  ///< the phase of reading Tpetra's matrix

/// Data of the list take precedence.
UserData first_of(UserData const& list, UserData const& setters) {
  return {list.nullspace.is_null() ? setters.nullspace : list.nullspace,
          list.coordinates.is_null() ? setters.coordinates : list.coordinates,
          list.material.is_null() ? setters.material : list.material};
}

}  // namespace

PreconditionerImpl::PreconditionerImpl(std::string const& name)
    : method_(settings::method_named(name)), settings_(parameters::parse({}, nullptr, &method_)) {
  agreed_settings_ = settings_to_agree({}, {});
}

void PreconditionerImpl::set_parameters(Teuchos::ParameterList const& list) {
  std::vector<std::string> warnings;
  settings::Settings const settings = parameters::parse(list, &warnings, &method_);
  UserData const data = user_data(list);
  require_backend(settings);
  auto agreed = settings_to_agree(list, first_of(data, from_setters_));
  Teuchos::ParameterList copy = list;
  // The rest does not throw.
  if (!Teuchos::haveSameValues(list_, copy)) {
    setup_is_stale_ = true;
    backend_.reset();
  }
  list_ = copy;
  settings_ = settings;
  from_list_ = data;
  agreed_settings_ = std::move(agreed);
  notes_ = std::move(warnings);
}

void PreconditionerImpl::set_data(MultiVectorPointer UserData::*which, MultiVectorPointer const& vectors) {
  if (!method_.has_levels) return;
  if (vectors.getRawPtr() != (from_setters_.*which).getRawPtr()) setup_is_stale_ = true;
  from_setters_.*which = vectors;
  agreed_settings_ = settings_to_agree(list_, data());
}

UserData PreconditionerImpl::data() const {
  return first_of(from_list_, from_setters_);
}

parameters::NamedSettings PreconditionerImpl::settings_to_agree(Teuchos::ParameterList const& list,
                                                                UserData const& data) const {
  auto const columns = [](MultiVectorPointer const& X) {
    return X.is_null() ? "not given" : core::message("of ", X->getNumVectors(), " columns");
  };
  parameters::NamedSettings all{{"class", method_.name}};
  for (auto& one : parameters::parsed_values(list)) {
    if (one.first != "backend: device") all.push_back(std::move(one));
  }
  all.emplace_back("Nullspace", columns(data.nullspace));
  all.emplace_back("Coordinates", columns(data.coordinates));
  all.emplace_back("Material", columns(data.material));
  return all;
}

void PreconditionerImpl::reset() {
  operator_.reset();
  matrix_.reset();
  row_ids_ = {};
  backend_.reset();
  row_map_ = column_map_ = map_of_X_ = map_of_Y_ = Teuchos::null;
  keep_as_is_ = false;
  last_compute_ = LastCompute::nothing;
}

bool PreconditionerImpl::adopt(tpetra::RowMatrix const& A) {
  parameters::require_same_on_all_ranks(*A.getComm(), agreed_settings_);
  if (settings_.reuse == settings::Reuse::none || !operator_ || !matrix_ || setup_is_stale_) return false;
  if (!A.isFillComplete() || !A.getRowMap()->isSameAs(*row_map_) || !A.getColMap()->isSameAs(*column_map_))
    return false;
  try {
    read_values(A);
  } catch (tpetra::PatternChanged const&) {
    return false;
  }
  row_map_ = A.getRowMap();
  column_map_ = A.getColMap();
  keep_as_is_ = settings_.reuse == settings::Reuse::full;
  return true;
}

void PreconditionerImpl::initialize(tpetra::RowMatrix const& A) {
  parameters::require_same_on_all_ranks(*A.getComm(), agreed_settings_);
  core::PhaseTimer<Host> const timer(Host{}, times_, reading);
  comm_ = tpetra::communicator(*A.getComm());
  // Not in compute(), where loading kernels would be a part of the first setup.
  if (!backend_) backend_ = choose_backend(settings_, comm_);
  with_row_context(A, [&] { matrix_.emplace(A, comm_, *backend_); });
  largest_entry_ = matrix_->largest_entry();
  row_map_ = map_of_X_ = map_of_Y_ = A.getRowMap();
  column_map_ = A.getColMap();
  comm::agree_on_errors(comm_, [&] {
    if (method_.has_levels) row_ids_ = tpetra::row_ids(*row_map_);
  });
  choose_overlap(settings_, *backend_, comm_);
}

void PreconditionerImpl::read_values(tpetra::RowMatrix const& A) {
  core::PhaseTimer<Host> const timer(Host{}, times_, reading);
  with_row_context(A, [&] { matrix_->read_values(A); });
  largest_entry_ = matrix_->largest_entry();
}

/// Parameters may have changed the back end since the matrix was read.
bool PreconditionerImpl::matrix_is_placed() {
  if (!backend_) backend_ = choose_backend(settings_, comm_);
  return matrix_->is_placed_for(*backend_);
}

void PreconditionerImpl::update_values(tpetra::RowMatrix const& A) {
  try {
    if (matrix_ && matrix_is_placed()) return read_values(A);
  } catch (tpetra::PatternChanged const&) {  // on all ranks: all of the old pattern is useless
  }
  reset();
  initialize(A);
}

void PreconditionerImpl::compute(tpetra::RowMatrix const& A, bool just_read) {
  if (!just_read) {
    parameters::require_same_on_all_ranks(*A.getComm(), agreed_settings_);
    update_values(A);
  } else if (!matrix_is_placed()) {
    initialize(A);
  }
  with_row_context(A, [&] {
    comm::agree_on_errors(comm_, [&] {
      compute_matrix();
      if (last_compute_ == LastCompute::setup || last_compute_ == LastCompute::renewal) note_asymmetry(A);
      print_notes(A.getComm()->getRank());
    });
  });
}

/// All ranks throw the same type of exception here, so that they can examine A together.
template <class Work>
void PreconditionerImpl::with_row_context(tpetra::RowMatrix const& A, Work const& work) const {
  try {
    work();
  } catch (core::NumericalError const& error) {
    auto const found = tpetra::asymmetry(A);
    auto const text = found.empty() ? error.what()
                                    : core::message(found, "; the preconditioner needs a symmetric one (",
                                                    error.what(), ")");
    throw core::NumericalError(tpetra::with_row_base(text, *A.getRowMap()));
  } catch (tpetra::PatternChanged const&) {
    throw;
  } catch (core::InvalidInput const& error) {
    throw core::InvalidInput(tpetra::with_row_base(error.what(), *A.getRowMap()));
  }
}

void PreconditionerImpl::note_asymmetry(tpetra::RowMatrix const& A) {
  if (std::exchange(knows_asymmetry_, true) || settings_.verbosity == settings::Verbosity::none) return;
  comm_.agree();
  auto const found = tpetra::asymmetry(A);
  if (found.empty()) return;
  notes_.push_back(tpetra::with_row_base(
      found +
          "; the preconditioner and conjugate gradients need a symmetric one: take GMRES, or fix the matrix",
      *A.getRowMap()));
}

void PreconditionerImpl::compute_matrix() {
  bool const keep = std::exchange(keep_as_is_, false);
  if (settings_.precision != settings::Precision::full) require_range_of_float(largest_entry_);
  if (!operator_ || setup_is_stale_) {
    make();
    last_compute_ = LastCompute::setup;
    return;
  }
  bool const renews =
      refresh_policy_.wants_setup(operator_->applications(), keep ? 0 : settings_.excess_iterations);
  if (renews) {
    make();
    last_compute_ = LastCompute::renewal;
  } else if (keep) {
    operator_->replace_values(*matrix_);
    last_compute_ = LastCompute::reuse;
  } else {
    operator_->refresh(*matrix_);
    last_compute_ = LastCompute::refresh;
    if (operator_->double_precision_reason().empty()) return;
    make();
    last_compute_ = LastCompute::setup;
  }
}

void PreconditionerImpl::make(core::Archive* saved) {
  operator_.reset();  // before the new one needs the memory
  refresh_policy_.setup_done();
  if (!backend_) backend_ = choose_backend(settings_, comm_);
  choose_overlap(settings_, *backend_, comm_);
  UserData const given = data();
  if (method_.has_levels && row_ids_.size == 0)
    row_ids_ = tpetra::row_ids(*row_map_);  // the last setup has used them
  operator_ = make_operator(*backend_, *matrix_, {settings_, row_ids_, given, saved, on_level_});
  row_ids_ = {};
  setup_is_stale_ = false;
}

void PreconditionerImpl::require_rows(tpetra::MultiVector const& X, tpetra::MultiVector const& Y) {
  auto const of_X = X.getMap(), of_Y = Y.getMap();
  auto const is_known = [this](auto const& map, auto const& accepted) {
    return map.getRawPtr() == row_map_.getRawPtr() || map.getRawPtr() == accepted.getRawPtr();
  };
  if (is_known(of_X, map_of_X_) && is_known(of_Y, map_of_Y_)) return;
  comm::agree_on_errors(comm_, [&] {
    auto const rows = tpetra::local_size(*row_map_);
    for (auto const& [name, vector] : {std::pair("X", &X), std::pair("Y", &Y)}) {
      TESSERA_VALIDATE(vector->getLocalLength() == rows, method_.name, "::apply: ", name, " has ",
                       vector->getLocalLength(), " rows on rank ", comm_.rank(), ", where the matrix has ",
                       rows, "; make it on the matrix' row map");
    }
  });
  map_of_X_ = of_X;
  map_of_Y_ = of_Y;
}

void PreconditionerImpl::apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y) {
  if (settings_.verbosity != settings::Verbosity::none) warn_staging(Y.getMap()->getComm()->getRank());
  bool const squares = method_.has_levels && settings_.multigrid.cycle == multigrid::CycleType::K;
  bool const in_float = !operator_->in_double();
  if (in_float || squares) {
    apply_in_range(X, Y);
  } else {
    operator_->apply(X, Y);
  }
}

/// M^-1 (a b) = a M^-1 b, and a power of two changes no bit of numbers in the range of float, or of the
/// squares in a K-cycle. With several ranks, the reduction of the largest entries overlaps with an
/// application that assumes entries in range.
void PreconditionerImpl::apply_in_range(tpetra::MultiVector const& X, tpetra::MultiVector& Y) {
  std::optional<comm::PendingMax> pending;
  auto const start = [&] { pending.emplace(comm_, largest_of_columns(*backend_, X)); };
  if (tpetra::vectors_on_device) {
    comm::agree_on_errors(comm_, start);
  } else {
    start();  // which allocates nothing there
  }
  auto& largest = *pending;
  bool const overlaps = comm_.size() > 1;
  if (overlaps) operator_->apply(X, Y);
  Teuchos::Array<double> up, down;
  for (double const entry : largest.get()) {
    up.push_back(scale_for_float(entry, largest_entry_));
    down.push_back(1 / up.back());
  }
  if (std::all_of(up.begin(), up.end(), [](double scale) { return scale == 1; })) {
    if (!overlaps) operator_->apply(X, Y);
    return;
  }
  tpetra::MultiVector scaled(X, Teuchos::Copy);
  scaled.scale(down());
  operator_->apply(scaled, Y);
  Y.scale(up());
}

double PreconditionerImpl::reading_seconds() const {
  auto const found = times_.find(reading);
  return found == times_.end() ? 0 : found->second;
}

MultiVectorPointer PreconditionerImpl::near_nullspace() const {
  if (!method_.has_levels) return Teuchos::null;
  auto const rows = tpetra::local_size(*row_map_);
  int const equations = settings_.multigrid.equations;
  auto const given = ifpack2::near_nullspace(Host{}, comm_, data(), rows, equations);
  auto const count = static_cast<std::size_t>(given.vectors > 0 ? given.vectors : equations);
  auto const coordinates = multigrid::coordinates_on(Host{}, given, rows / equations);
  auto const values = multigrid::near_nullspace_on(Host{}, given, rows, equations, coordinates.view());
  auto const vectors = Teuchos::rcp(new tpetra::MultiVector(row_map_, count));
  tpetra::WriteColumns const columns(*vectors);
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < rows; ++i) columns[j][i] = values[i * count + j];
  }
  return vectors;
}

bool PreconditionerImpl::is_linear() const {
  return !method_.has_levels || settings_.multigrid.cycle != multigrid::CycleType::K;
}

}  // namespace Tessera::ifpack2

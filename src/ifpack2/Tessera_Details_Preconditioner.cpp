#include "Tessera_Details_Preconditioner.hpp"

#include <Kokkos_Core.hpp>
#include <Teuchos_TimeMonitor.hpp>
#include <Teuchos_TypeNameTraits.hpp>
#include <atomic>
#include <sstream>

#include "Tessera_Version.hpp"
#include "core/timer.hpp"
#include "core/version.hpp"
#include "ifpack2/preconditioner_impl.hpp"
#include "parameters/messages.hpp"
#include "parameters/valid_parameters.hpp"

std::string Tessera::version() {
  return core::version();
}

// Ifpack2's semantics around a PreconditionerImpl; see Ifpack2_Chebyshev_def.hpp for where they come from.
namespace Tessera::Details {
namespace {

using parameters::require;

/// Starts the Teuchos timer of that name.
std::unique_ptr<Teuchos::TimeMonitor> started(std::string const& name) {
  auto timer = Teuchos::TimeMonitor::lookupCounter(name);
  if (timer.is_null()) timer = Teuchos::TimeMonitor::getNewCounter(name);
  return std::make_unique<Teuchos::TimeMonitor>(*timer);
}

/// Counts one call in a Teuchos timer, and adds its time to `total`, also after an exception.
class ScopedTimer {
 public:
  ScopedTimer(std::string const& name, bool in_monitor, double& total)
      : total_(total), start_(Teuchos::Time::wallTime()) {
    if (in_monitor) monitor_ = started(name);
  }
  ~ScopedTimer() { total_ += Teuchos::Time::wallTime() - start_; }

 private:
  double& total_;
  double start_;
  std::unique_ptr<Teuchos::TimeMonitor> monitor_;
};

#if defined(HAVE_TEUCHOS_KOKKOS_PROFILING) && defined(HAVE_TEUCHOSCORE_KOKKOSCORE)
constexpr bool timers_are_kokkos_regions = true;
#else
constexpr bool timers_are_kokkos_regions = false;
#endif

/// Makes this thread's regions Teuchos timers, or regions of Kokkos, during its lifetime.
class RegionReporter final : public core::RegionObserver {
 public:
  RegionReporter(bool timers, bool kokkos)
      : timers_(timers), kokkos_(kokkos), before_(core::observe_regions(this)) {}
  RegionReporter(RegionReporter const&) = delete;
  RegionReporter& operator=(RegionReporter const&) = delete;
  ~RegionReporter() { core::observe_regions(before_); }

  void begin(char const* name, int level) override {
    auto text = std::string("Tessera: ") + name;
    if (level >= 0) text += " " + std::to_string(level);
    if (kokkos_) Kokkos::Profiling::pushRegion(text);
    if (timers_) open_.push_back(started(text));
  }
  void end() override {
    if (timers_) open_.pop_back();
    if (kokkos_) Kokkos::Profiling::popRegion();
  }

 private:
  bool timers_, kokkos_;
  std::vector<std::unique_ptr<Teuchos::TimeMonitor>> open_;
  core::RegionObserver* before_;
};

}  // namespace

Preconditioner::Preconditioner(std::string const& name, Teuchos::RCP<row_matrix_type const> const& A)
    : name_(name), matrix_(A), impl_(std::make_unique<ifpack2::PreconditionerImpl>(name)) {
  this->setObjectLabel(name);
}

Preconditioner::~Preconditioner() = default;

void Preconditioner::setParameters(Teuchos::ParameterList const& list) {
  impl_->set_parameters(list);
}

Teuchos::RCP<Teuchos::ParameterList const> Preconditioner::getValidParameters() const {
  return parameters::valid_parameters();
}

void Preconditioner::setNearNullspace(Teuchos::RCP<multivector_type const> const& vectors) {
  impl_->set_data(&ifpack2::UserData::nullspace, vectors);
}

void Preconditioner::setMaterial(Teuchos::RCP<multivector_type const> const& material) {
  impl_->set_data(&ifpack2::UserData::material, material);
}

void Preconditioner::setCoordinates(Teuchos::RCP<multivector_type const> const& coordinates) {
  impl_->set_data(&ifpack2::UserData::coordinates, coordinates);
}

void Preconditioner::setLevelObserver(std::function<void(int, long long, long long)> const& observer) {
  impl_->set_level_observer(observer);
}

void Preconditioner::setMatrix(Teuchos::RCP<row_matrix_type const> const& A) {
  if (A.getRawPtr() == matrix_.getRawPtr()) return;
  is_initialized_ = false;
  is_computed_ = false;
  matrix_ = A;
  if (A.is_null()) impl_->reset();
}

void Preconditioner::initialize() {
  require_matrix("initialize");
  ScopedTimer const timer(name_ + "::initialize", true, initialize_time_);
  auto const observed = observeRegions();
  is_initialized_ = false;
  is_computed_ = false;
  impl_->reset();
  impl_->initialize(*matrix_);
  is_initialized_ = true;
  ++num_initialize_;
}

void Preconditioner::compute() {
  require_matrix("compute");
  bool const just_read = !is_initialized_;
  if (!is_initialized_) {
    if (impl_->adopt(*matrix_)) {
      is_initialized_ = true;
      ++num_initialize_;
    } else {
      initialize();
    }
  }
  ScopedTimer const timer(name_ + "::compute", true, compute_time_);
  auto const observed = observeRegions();
  is_computed_ = false;
  try {
    impl_->compute(*matrix_, just_read);
  } catch (...) {
    is_initialized_ = false;  // the next compute() cannot use a part of a setup
    impl_->reset();
    throw;
  }
  is_computed_ = true;
  count_compute();
}

void Preconditioner::count_compute() {
  static std::atomic<std::uint64_t> computes{0};
  ++num_compute_;
  compute_id_ = ++computes;
}

void Preconditioner::save(std::string const& file) const {
  require<std::runtime_error>(is_computed_, name_,
                              "::save: compute() must be called (and succeed) before save().");
  impl_->save(file);
}

void Preconditioner::load(std::string const& file) {
  require_matrix("load");
  ScopedTimer const timer(name_ + "::load", true, compute_time_);
  auto const observed = observeRegions();
  auto loaded = impl_->clone_config();  // so that an exception changes nothing
  loaded->initialize(*matrix_);
  loaded->load(file);
  impl_ = std::move(loaded);
  is_initialized_ = is_computed_ = true;
  ++num_initialize_;
  count_compute();
}

void Preconditioner::apply(multivector_type const& X, multivector_type& Y, Teuchos::ETransp mode,
                           scalar_type alpha, scalar_type beta) const {
  std::lock_guard const lock(apply_mutex_);
  ScopedTimer const timer(name_ + "::apply", impl_->settings().timer_for_apply, apply_time_);
  require<std::runtime_error>(is_computed_, name_,
                              "::apply: compute() must be called (and succeed) before apply().");
  require<std::runtime_error>(X.getNumVectors() == Y.getNumVectors(), name_, "::apply: X has ",
                              X.getNumVectors(), " columns and Y has ", Y.getNumVectors(),
                              "; they must have equally many.");
  impl_->require_rows(X, Y);
  require<std::runtime_error>(mode == Teuchos::NO_TRANS || hasTransposeApply(), name_,
                              "::apply: the transpose can only be applied where pre- and postsmoothing "
                              "match; set `smoother: pre or post` to both.");
  auto const observed = observeRegions();
  apply_checked(X, Y, alpha, beta);
  ++num_apply_;
}

void Preconditioner::apply_checked(multivector_type const& X, multivector_type& Y, scalar_type alpha,
                                   scalar_type beta) const {
  if (alpha == 0) {
    if (beta == 0) {
      Y.putScalar(0);  // scale() would keep NaN
    } else {
      Y.scale(beta);
    }
    return;
  }
  bool const same_memory = X.aliases(Y);
  if (beta == 0 && !same_memory) {
    impl_->apply(X, Y);
    if (alpha != 1) Y.scale(alpha);
    return;
  }
  if (result_.is_null() || result_->getMap().getRawPtr() != Y.getMap().getRawPtr() ||
      result_->getNumVectors() != Y.getNumVectors())
    result_ = Teuchos::rcp(new multivector_type(Y.getMap(), Y.getNumVectors(), false));
  impl_->apply(X, *result_);
  if (beta == 0) Y.putScalar(0);
  Y.update(alpha, *result_, beta);
}

bool Preconditioner::hasTransposeApply() const {
  return settings::is_symmetric(impl_->settings());
}

bool Preconditioner::isLinear() const {
  return impl_->is_linear();
}

void Preconditioner::require_matrix(char const* function) const {
  require<std::runtime_error>(!matrix_.is_null(), name_, "::", function,
                              ": there is no matrix; call setMatrix() with one before.");
}

Teuchos::RCP<Preconditioner::map_type const> Preconditioner::getDomainMap() const {
  require_matrix("getDomainMap");
  return matrix_->getDomainMap();
}

Teuchos::RCP<Preconditioner::map_type const> Preconditioner::getRangeMap() const {
  require_matrix("getRangeMap");
  return matrix_->getRangeMap();
}

Teuchos::RCP<Teuchos::Comm<int> const> Preconditioner::getComm() const {
  require_matrix("getComm");
  return matrix_->getRowMap()->getComm();
}

multigrid::HierarchyReport const* Preconditioner::hierarchyReport() const {
  return is_computed_ ? inPlace()->hierarchy_report() : nullptr;
}

ifpack2::AnyOperator* Preconditioner::inPlace() const {
  return is_computed_ ? impl_->any_operator() : nullptr;
}

std::shared_ptr<void const> Preconditioner::observeRegions() const {
  bool const timers = impl_->settings().timer_for_phases;
  bool const kokkos = Kokkos::Profiling::profileLibraryLoaded() && !(timers && timers_are_kokkos_regions);
  if (!timers && !kokkos) return nullptr;
  return std::make_shared<RegionReporter>(timers, kokkos);
}

Teuchos::RCP<Preconditioner::multivector_type const> Preconditioner::nearNullspace() const {
  return is_computed_ ? impl_->near_nullspace() : Teuchos::null;
}

std::string Preconditioner::lastCompute() const {
  return impl_->last_compute();
}

double Preconditioner::readingSeconds() const {
  return impl_->reading_seconds();
}

Preconditioner::Facts Preconditioner::facts() const {
  Facts facts{{"Version", core::version()}};
  for (auto& fact : impl_->facts()) facts.push_back(std::move(fact));
  if (matrix_.is_null()) {
    facts.emplace_back("Matrix", "null");
  } else {
    auto const text = [](auto count) { return std::to_string(count); };
    facts.emplace_back("Global matrix dimensions", "[" + text(matrix_->getGlobalNumRows()) + ", " +
                                                       text(matrix_->getGlobalNumCols()) + "]");
    facts.emplace_back("Global nnz", text(matrix_->getGlobalNumEntries()));
  }
  return facts;
}

std::string Preconditioner::description() const {
  std::string text = "\"" + name_ + "\": {Initialized: " + (is_initialized_ ? "true" : "false") +
                     ", Computed: " + (is_computed_ ? "true" : "false");
  for (auto const& [key, value] : facts()) text += ", " + key + ": " + value;
  return text + "}";
}

void Preconditioner::describe(Teuchos::FancyOStream& out, Teuchos::EVerbosityLevel level) const {
  Teuchos::EVerbosityLevel const wanted = level == Teuchos::VERB_DEFAULT ? Teuchos::VERB_LOW : level;
  if (wanted == Teuchos::VERB_NONE) return;
  // Collective parts come before rank 0 prints.
  std::string const report = is_computed_ ? impl_->report(wanted) : std::string();
  auto const known = facts();
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
  if (!is_computed_) out << "Initialized: " << (is_initialized_ ? "true" : "false") << "\nComputed: false\n";
  for (auto const& [key, value] : known) out << key << ": " << value << "\n";
  out << report;
  if (wanted >= Teuchos::VERB_MEDIUM) {
    out << "Call counts: {initialize: " << num_initialize_ << ", compute: " << num_compute_
        << ", apply: " << num_apply_ << "}\n"
        << "Total times in seconds: {initialize: " << initialize_time_ << ", compute: " << compute_time_
        << ", apply: " << apply_time_ << "}\n";
  }
}

}  // namespace Tessera::Details

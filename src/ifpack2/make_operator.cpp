// Makes M^-1 on one back end and in one precision, and applies it to vectors of Tpetra.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "comm/fetch.hpp"
#include "core/array.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/timer.hpp"
#include "fsai/fsai.hpp"
#include "ifpack2/any_operator.hpp"
#include "ifpack2/third_party.hpp"
#include "ifpack2/user_data.hpp"
#include "multigrid/reported_levels.hpp"
#include "sparse/interleave.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::ifpack2 {
namespace {

/// M^-1 in T by a setup or a load. times: "transfer" gets the time of uploads. Collective.
template <class T, class Space>
std::unique_ptr<comm::TypedOperator<T, Space>> make_operator(Space const& space,
                                                             comm::DistCsr<double, Space> const& A,
                                                             SetupInput const& input,
                                                             core::PhaseTimes& times) {
  auto const& settings = input.settings;
  auto const& levels = settings.multigrid;
  if (settings.algorithm == settings::Algorithm::fsai) {
    auto const storage = levels.inverse_storage();
    using Made = fsai::Fsai<T, Space>;
    return input.saved == nullptr ? std::make_unique<Made>(space, A, settings.fsai, storage)
                                  : std::make_unique<Made>(space, A, settings.fsai, storage, *input.saved);
  }
  require_whole_nodes(A.rows, levels.equations);
  Array<VertexId, Space> ids;
  core::with_memory_context("setup, level 0", [&] {
    core::PhaseTimer<Space> const timer(space, times, "transfer");
    ids = node_ids(space, input.row_ids, levels.equations);
  });
  auto const parameters = with_foreign_parts(settings);
  if (input.saved != nullptr)
    return multigrid::load_levels<T>(space, A, std::move(ids), parameters, *input.saved);
  auto const rows = static_cast<std::size_t>(A.local.rows);
  auto const nullspace = near_nullspace(space, A.rows.comm(), input.data, rows, levels.equations);
  return multigrid::make_levels<T>(space, A, std::move(ids), nullspace, parameters, input.on_level);
}

/// T: number type of the operator.
template <class T, class Space>
class OperatorOn final : public AnyOperator {
  static constexpr bool on_host = std::is_same_v<Space, Host>;
  static constexpr bool in_place = on_host || tpetra::vectors_on_device;

 public:
  OperatorOn(Space const& space, std::string device, SystemMatrix const& A, SetupInput const& input)
      : space_(space), device_(std::move(device)), source_(A) {
    if (A.on(space) == nullptr) {
      TESSERA_VALIDATE(A.on(Host{}) != nullptr,
                       "`backend: type` has been changed since initialize() read the matrix in the memory of "
                       "the GPU; call initialize() again");
      auto const timer = transfer();
      core::with_memory_context("upload of the matrix, level 0",
                                [&] { uploaded_.emplace(comm::copied(Host{}, *A.on(Host{}), space_)); });
    }
    operator_ = make_operator<T>(space_, matrix(), input, times_);
    levels_ = dynamic_cast<multigrid::ReportedLevels*>(operator_.get());
    factors_ = dynamic_cast<fsai::Fsai<T, Space>*>(operator_.get());
    core::synchronize(space_);
  }

  void refresh(SystemMatrix const& A) override {
    replace_values(A);
    operator_->refresh(matrix());
    core::synchronize(space_);
  }
  void replace_values(SystemMatrix const& A) override {
    if (!uploaded_) return;
    auto const timer = transfer();
    core::copy(Host{}, A.on(Host{})->local.value.view(), space_, uploaded_->local.value.span());
  }

  void save(core::Archive& file) override { operator_->save(matrix(), file); }

  void apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y) override {
    std::lock_guard const lock(apply_mutex_);
    ++applications_;
    if constexpr (in_place) {
      tpetra::ReadColumnsOn<Space> const x(X);
      tpetra::WriteColumnsOn<Space> const y(Y, tpetra::Before::forgotten);
      for (std::size_t column = 0; column < x.size();) column += apply_to_columns(x, y, column);
      core::synchronize(space_);
    } else {
      apply_staged(X, Y);
    }
  }

  multigrid::ReportedLevels* levels() const override { return levels_; }
  fsai::Report const* fsai_report() override { return factors_ == nullptr ? nullptr : &factors_->report(); }
  std::vector<std::string> const& warnings() const override { return operator_->warnings(); }
  std::string double_precision_reason() const override { return operator_->double_precision_reason(); }
  bool in_double() const override { return std::is_same_v<T, double>; }
  std::string device() const override { return device_; }
  std::size_t staged_bytes() const override { return in_place ? 0 : 2 * sizeof(double) * local_rows(); }
  std::int64_t applications() const override { return applications_; }
  double transfer_seconds() const override {
    auto const found = times_.find("transfer");
    return on_host || found == times_.end() ? 0 : found->second;
  }

  comm::HostMatrix fetch_factor(std::size_t k) const override {
    return comm::fetch(space_, factors_->factor(k));
  }

  OnAnySpace<Resident> resident() override {
    krylov::Preconditioner M;
    M.apply = [this](Span<double const> b, Span<double> x) {
      // On a GPU the stream orders applications, in the order in which the caller enqueues them.
      auto const lock = on_host ? std::unique_lock(apply_mutex_) : std::unique_lock<std::mutex>();
      operator_->apply(b, x);
    };
    M.count_applications = [this](int times) { applications_ += times; };
    M.apply_columns = [this](auto const& x, auto const& y) {
      auto const lock = on_host ? std::unique_lock(apply_mutex_) : std::unique_lock<std::mutex>();
      for (std::size_t column = 0; column < x.size();) column += apply_to_columns(x, y, column);
    };
    if (operator_->takes_blocks()) M.blocks = blocks();
    M.capturable = !on_host && operator_->enqueues_only();
    if constexpr (!on_host && std::is_same_v<T, float>) {
      auto const r = operator_->input();
      if (!r.empty()) M.single = {r, operator_->output(), [this] { operator_->apply(); }};
    }
    return Resident<Space>{space_, matrix(), std::move(M)};
  }

 private:
  comm::DistCsr<double, Space> const& matrix() const { return uploaded_ ? *uploaded_ : *source_.on(space_); }
  std::size_t local_rows() const { return static_cast<std::size_t>(source_.rows().local_size()); }
  core::PhaseTimer<Space> transfer() { return {space_, times_, "transfer"}; }

  /// For an operator that takes blocks.
  krylov::BlockPreconditioner blocks() {
    krylov::BlockPreconditioner M;
    M.reserve = [this](int columns) -> void const* {
      operator_->reserve_columns(columns);
      return operator_->template block_input<core::Interleaved<T, 4>>().data();
    };
    M.apply = [this](int columns, Span<double const> r, Span<double> z) {
      auto const lock = on_host ? std::unique_lock(apply_mutex_) : std::unique_lock<std::mutex>();
      sparse::with_block<T>(columns, [&](auto row) {
        using X = decltype(row);
        sparse::round_numbers(space_, r, core::numbers(operator_->template block_input<X>()));
        operator_->apply_block(columns);
        sparse::round_numbers(space_, core::numbers(operator_->template block_output<X>()), z);
      });
    };
    return M;
  }

  /// The number of columns of the next block, if this number is left.
  int block_width(std::size_t left) const {
    return operator_->takes_blocks() ? sparse::columns_at_once(left) : 1;
  }

  /// y = M^-1 x for one block of columns from `first` on. Returns the number of columns. x and y are on the
  /// space.
  template <class Read, class Write>
  std::size_t apply_to_columns(Read const& x, Write const& y, std::size_t first) {
    auto const left = x.size() - first;
    auto const width = block_width(left);
    if (width == 1) {
      operator_->apply(x[first], y[first]);
      return 1;
    }
    operator_->reserve_columns(width);
    sparse::with_block<T>(width, [&](auto row) {
      using X = decltype(row);
      sparse::interleave(space_, x, first, operator_->template block_input<X>());
      operator_->apply_block(width);
      sparse::separate(space_, operator_->template block_output<X>(), y, first);
    });
    return std::min(left, static_cast<std::size_t>(width));
  }

  void apply_staged(tpetra::MultiVector const& X, tpetra::MultiVector& Y) {
    tpetra::ReadColumns const x(X);
    tpetra::WriteColumns const y(Y, tpetra::Before::forgotten);
    for (std::size_t first = 0; first < x.size();) {
      auto const count = std::min<std::size_t>(block_width(x.size() - first), x.size() - first);
      reserve_staging(count);
      Staged const b(b_, local_rows(), count), result(x_, local_rows(), count);
      {
        auto const timer = transfer();
        for (std::size_t c = 0; c < count; ++c) core::copy(Host{}, x[first + c], space_, b[c]);
      }
      apply_to_columns(b, result, 0);
      core::synchronize(space_);  // so that the timer measures the transfer only
      auto const timer = transfer();
      for (std::size_t c = 0; c < count; ++c)
        core::copy(space_, Span<double const>(result[c]), Host{}, y[first + c]);
      first += count;
    }
  }

  /// Allocates staging vectors for this number of columns. Called by the first apply(), because solvers on
  /// the GPU need none.
  void reserve_staging(std::size_t columns) {
    if (columns <= staged_columns_) return;
    comm::agree_on_errors(source_.rows().comm(), [&] {
      for (auto* each : {&x_, &b_}) *each = Array<double, Space>(space_, columns * local_rows());
    });
    staged_columns_ = columns;
  }

  /// Columns of the space that receive vectors from the host.
  struct Staged {
    Span<double> all;
    std::size_t rows, columns;
    Staged(Array<double, Space>& memory, std::size_t n, std::size_t count)
        : all(memory.span()), rows(n), columns(count) {}
    std::size_t size() const { return columns; }
    Span<double> operator[](std::size_t column) const { return all.part(column * rows, rows); }
  };

  Space space_;
  std::string device_;
  core::PhaseTimes times_;
  SystemMatrix const& source_;
  std::optional<comm::DistCsr<double, Space>> uploaded_;  ///< a copy, if the source is on the host alone
  std::unique_ptr<comm::TypedOperator<T, Space>> operator_;
  multigrid::ReportedLevels* levels_ = nullptr;  ///< of the operator; null for an FSAI
  fsai::Fsai<T, Space>* factors_ = nullptr;      ///< the operator, if it is an FSAI
  std::mutex apply_mutex_;                       ///< because the operator has work vectors
  std::atomic<std::int64_t> applications_{0};
  Array<double, Space> b_, x_;  ///< staging vectors
  std::size_t staged_columns_ = 0;
};

std::unique_ptr<AnyOperator> make_once(Backend const& backend, SystemMatrix const& A,
                                       SetupInput const& input) {
  std::variant<float, double> number = 0.0F;
  if (input.settings.precision == settings::Precision::full) number = 0.0;
  return std::visit(
      [&](auto const& space, auto zero) -> std::unique_ptr<AnyOperator> {
        using Made = OperatorOn<decltype(zero), std::decay_t<decltype(space)>>;
        return std::make_unique<Made>(space, backend.device, A, input);
      },
      backend.space, number);
}

}  // namespace

std::unique_ptr<AnyOperator> make_operator(Backend const& backend, SystemMatrix const& A,
                                           SetupInput const& input) {
  auto made = make_once(backend, A, input);
  if (input.saved != nullptr) return made;  // in the precision that it was saved in
  auto const reason = made->double_precision_reason();
  if (reason.empty()) return made;
  made.reset();
  auto settings = input.settings;
  settings.precision = settings::Precision::full;
  settings.multigrid.warnings.push_back("levels are in double: " + reason);
  return make_once(backend, A, {settings, input.row_ids, input.data, nullptr, input.on_level});
}

}  // namespace Tessera::ifpack2

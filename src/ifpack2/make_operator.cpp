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
#include "ifpack2/any_operator.hpp"
#include "ifpack2/third_party.hpp"
#include "multigrid/bootstrap.hpp"
#include "sparse/interleave.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::ifpack2 {
namespace {

/// Operator: such as multigrid::Hierarchy<float, Cuda>.
template <class Operator, class Space>
class OperatorOn final : public AnyOperator {
  static constexpr bool on_host = std::is_same_v<Space, Host>;
  static constexpr bool has_levels =
      std::is_same_v<decltype(std::declval<Operator&>().report()), multigrid::HierarchyReport const&>;
  using Number = std::remove_pointer_t<decltype(std::declval<Operator&>().input().data())>;
  static constexpr bool in_place = on_host || tpetra::vectors_on_device;

 public:
  /// make: (space, A, times) -> Operator. make adds the time of its own uploads to the phase "transfer" of
  /// times. A must live as long as this object.
  template <class Make>
  OperatorOn(Space const& space, std::string device, SystemMatrix const& A, Make const& make)
      : space_(space), device_(std::move(device)), source_(A) {
    if (A.on(space) == nullptr) {
      TESSERA_VALIDATE(A.on(Host{}) != nullptr,
                       "`backend: type` has been changed since initialize() read the matrix in the memory of "
                       "the GPU; call initialize() again");
      auto const timer = transfer();
      core::with_memory_context([] { return "upload of the matrix, level 0"; },
                                [&] { uploaded_.emplace(comm::copied(Host{}, *A.on(Host{}), space_)); });
    }
    operator_.emplace(make(space_, matrix(), times_));
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

  void save(core::Archive& file) override {
    if constexpr (has_levels) {
      operator_->save(matrix(), file);
    } else {
      operator_->save(file);
    }
  }

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

  multigrid::HierarchyReport const* hierarchy_report() override {
    return report<multigrid::HierarchyReport>();
  }
  fsai::Report const* fsai_report() override { return report<fsai::Report>(); }
  std::vector<std::string> const& warnings() const override { return operator_->warnings(); }
  std::string double_precision_reason() const override {
    if constexpr (has_levels) {
      return operator_->double_precision_reason();
    } else {
      return {};
    }
  }
  bool in_double() const override { return std::is_same_v<Number, double>; }
  std::string device() const override { return device_; }
  std::size_t staged_bytes() const override { return in_place ? 0 : 2 * sizeof(double) * local_rows(); }
  std::int64_t applications() const override { return applications_; }
  double transfer_seconds() const override {
    auto const found = times_.find("transfer");
    return on_host || found == times_.end() ? 0 : found->second;
  }

  multigrid::LevelMatrices fetch_matrices(std::size_t level) const override {
    if constexpr (has_levels) {
      return operator_->fetch_matrices(level);
    } else {
      return {};
    }
  }
  multigrid::LevelAggregates fetch_aggregates(std::size_t level) const override {
    if constexpr (has_levels) {
      return operator_->fetch_aggregates(level);
    } else {
      return {};
    }
  }
  comm::HostMatrix fetch_factor(std::size_t k) const override {
    if constexpr (has_levels) {
      return {};
    } else {
      return comm::fetch(space_, operator_->factor(k));
    }
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
    if constexpr (Operator::has_blocks) {
      if (operator_->takes_blocks()) M.blocks = blocks();
    }
    M.capturable = !on_host && operator_->enqueues_only();
    if constexpr (!on_host && std::is_same_v<Number, float>) {
      auto const r = operator_->input();
      if (!r.empty()) M.single = {r, operator_->output(), [this] { operator_->apply(); }};
    }
    return Resident<Space>{space_, matrix(), std::move(M)};
  }

 private:
  comm::DistCsr<double, Space> const& matrix() const { return uploaded_ ? *uploaded_ : *source_.on(space_); }
  /// The operator's report if it is of this type, else null.
  template <class Report>
  Report const* report() {
    if constexpr (std::is_same_v<decltype(operator_->report()), Report const&>) {
      return &operator_->report();
    } else {
      return nullptr;
    }
  }
  std::size_t local_rows() const { return static_cast<std::size_t>(source_.rows().local_size()); }
  core::PhaseTimer<Space> transfer() { return {space_, times_, "transfer"}; }

  /// For an Operator that takes blocks.
  krylov::BlockPreconditioner blocks() {
    krylov::BlockPreconditioner M;
    M.reserve = [this](int columns) -> void const* {
      operator_->reserve_columns(columns);
      return operator_->template block_input<core::Interleaved<Number, 4>>().data();
    };
    M.apply = [this](int columns, Span<double const> r, Span<double> z) {
      auto const lock = on_host ? std::unique_lock(apply_mutex_) : std::unique_lock<std::mutex>();
      sparse::with_block<Number>(columns, [&](auto row) {
        using X = decltype(row);
        sparse::round_numbers(space_, r, core::numbers(operator_->template block_input<X>()));
        operator_->template apply_block<X>();
        sparse::round_numbers(space_, core::numbers(operator_->template block_output<X>()), z);
      });
    };
    return M;
  }

  /// The number of columns of the next block, if this number is left.
  int block_width(std::size_t left) const {
    if constexpr (Operator::has_blocks) {
      if (operator_->takes_blocks()) return sparse::columns_at_once(left);
    }
    return 1;
  }

  /// y = M^-1 x for one block of columns from `first` on. Returns the number of columns. x and y are on the
  /// space.
  template <class Read, class Write>
  std::size_t apply_to_columns(Read const& x, Write const& y, std::size_t first) {
    auto const left = x.size() - first;
    auto const width = block_width(left);
    if constexpr (Operator::has_blocks) {
      if (width > 1) {
        operator_->reserve_columns(width);
        sparse::with_block<Number>(width, [&](auto row) {
          using X = decltype(row);
          sparse::interleave(space_, x, first, operator_->template block_input<X>());
          operator_->template apply_block<X>();
          sparse::separate(space_, operator_->template block_output<X>(), y, first);
        });
        return std::min(left, static_cast<std::size_t>(width));
      }
    }
    operator_->apply(x[first], y[first]);
    return 1;
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
  std::optional<Operator> operator_;
  std::mutex apply_mutex_;  ///< because the operator has work vectors
  std::atomic<std::int64_t> applications_{0};
  Array<double, Space> b_, x_;  ///< staging vectors
  std::size_t staged_columns_ = 0;
};

/// Makes an operator in the precision and on the back end of the settings. make: (number, space, A, times) ->
/// Operator<T, Space>, for both types T of number and all spaces.
template <template <class, class> class Operator, class Make>
std::unique_ptr<AnyOperator> make_operator(SetupInput const& input, Make const& make) {
  std::variant<float, double> number = 0.0F;
  if (input.settings.precision == parameters::Precision::full) number = 0.0;
  return std::visit(
      [&](auto const& space, auto zero) -> std::unique_ptr<AnyOperator> {
        using Space = std::decay_t<decltype(space)>;
        using Made = OperatorOn<Operator<decltype(zero), Space>, Space>;
        return std::make_unique<Made>(
            space, input.backend.device, input.A,
            [&](auto const& there, auto const& A, auto& times) { return make(zero, there, A, times); });
      },
      input.backend.space, number);
}

template <template <class, class> class Levels>
std::unique_ptr<AnyOperator> make_levels(SetupInput const& input, multigrid::NearNullspace const& nullspace) {
  return make_operator<Levels>(input, [&](auto number, auto const& space, auto const& A, auto& times) {
    using Space = std::decay_t<decltype(space)>;
    Array<VertexId, Space> ids;
    core::with_memory_context([] { return "setup, level 0"; },
                              [&] {
                                core::PhaseTimer<Space> const timer(space, times, "transfer");
                                ids = node_ids(space, input.row_ids, input.settings.multigrid.equations);
                              });
    using Made = Levels<decltype(number), Space>;
    auto const parameters = with_foreign_parts(input.settings);
    return input.saved == nullptr ? Made(space, A, std::move(ids), nullspace, parameters, input.on_level)
                                  : Made(space, A, std::move(ids), parameters, *input.saved);
  });
}

/// make(input), and again in double where float is not enough.
template <class Make>
std::unique_ptr<AnyOperator> with_precision_fallback(SetupInput const& input, Make const& make) {
  auto made = make(input);
  if (input.saved != nullptr) return made;  // in the precision that it was saved in
  auto const reason = made->double_precision_reason();
  if (reason.empty()) return made;
  made.reset();
  auto settings = input.settings;
  settings.precision = parameters::Precision::full;
  settings.multigrid.warnings.push_back("levels are in double: " + reason);
  return make({input.backend, settings, input.A, input.row_ids, input.data, nullptr, input.on_level});
}

}  // namespace

std::unique_ptr<AnyOperator> make_hierarchy(SetupInput const& input) {
  auto const& parameters = input.settings.multigrid;
  auto const& comm = input.A.rows().comm();
  int const equations = parameters.equations;
  auto const rows = static_cast<std::size_t>(input.A.rows().local_size());
  comm::agree_on_errors(comm, [&] {
    TESSERA_VALIDATE(rows % static_cast<std::size_t>(equations) == 0, "rank ", comm.rank(), " has ", rows,
                     " rows, which are not whole nodes of `number of equations` = ", equations,
                     " rows each; distribute the matrix by nodes, or correct the number");
  });
  multigrid::NearNullspace nullspace;
  if (input.saved == nullptr) nullspace = near_nullspace(comm, input.data, rows, equations);
  return with_precision_fallback(input, [&](SetupInput const& chosen) {
    return parameters.bootstrap.components > 1 ? make_levels<multigrid::Bootstrap>(chosen, nullspace)
                                               : make_levels<multigrid::Hierarchy>(chosen, nullspace);
  });
}

std::unique_ptr<AnyOperator> make_sparse_inverse(SetupInput const& input) {
  auto const& multigrid = input.settings.multigrid;
  comm::StorageParameters const storage{multigrid.format, multigrid.chunk_size, multigrid.sigma};
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): the analyzer loses the returned pointer
  return make_operator<fsai::Fsai>(
      input, [&](auto number, auto const& space, auto const& A, auto& /* times */) {
        using Space = std::decay_t<decltype(space)>;
        using Made = fsai::Fsai<decltype(number), Space>;
        auto const& parameters = input.settings.fsai;
        return input.saved == nullptr ? Made(space, A, parameters, storage)
                                      : Made(space, A, parameters, storage, *input.saved);
      });
}

}  // namespace Tessera::ifpack2

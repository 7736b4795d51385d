#include "settings/preconditioner.hpp"

#include <type_traits>
#include <utility>

#include "fsai/fsai.hpp"
#include "multigrid/bootstrap.hpp"

namespace Tessera::settings {
namespace {

/// Operator: such as multigrid::Hierarchy<float, Cuda>.
template <class Operator, class Space>
class PreconditionerOf final : public Preconditioner<Space> {
  static constexpr bool has_levels =
      std::is_same_v<decltype(std::declval<Operator&>().report()), multigrid::HierarchyReport const&>;
  using Number = std::remove_pointer_t<decltype(std::declval<Operator&>().input().data())>;

 public:
  template <class... Arguments>
  explicit PreconditionerOf(bool symmetric, Arguments&&... arguments)
      : symmetric_(symmetric), operator_(std::forward<Arguments>(arguments)...) {}

  void refresh(comm::DistCsr<double, Space> const& A) override { operator_.refresh(A); }
  std::vector<std::string> const& warnings() const override { return operator_.warnings(); }

  krylov::Preconditioner functions() override {
    krylov::Preconditioner M;
    M.apply = [this](Span<double const> r, Span<double> z) { operator_.apply(r, z); };
    M.symmetric = symmetric_;
    if constexpr (core::SpaceTraits<Space>::asynchronous) {
      M.capturable = operator_.enqueues_only();
      if constexpr (std::is_same_v<Number, float>) {
        if (auto const r = operator_.input(); !r.empty())
          M.single = {r, operator_.output(), [this] { operator_.apply(); }};
      }
    }
    return M;
  }
  bool in_double() const override { return std::is_same_v<Number, double>; }
  std::string double_precision_reason() const override {
    if constexpr (has_levels && std::is_same_v<Number, float>) {
      return operator_.double_precision_reason();
    } else {
      return {};
    }
  }
  multigrid::HierarchyReport const* report() override {
    if constexpr (has_levels) {
      return &operator_.report();
    } else {
      return nullptr;
    }
  }

 private:
  bool symmetric_;
  Operator operator_;
};

template <class T, class Space>
std::unique_ptr<Preconditioner<Space>> made(Space const& space, comm::DistCsr<double, Space> const& A,
                                            NodeIds<Space> const& ids,
                                            multigrid::NearNullspace const& nullspace,
                                            Settings const& settings) {
  auto const& levels = settings.multigrid;
  bool const symmetric = is_symmetric(settings);
  if (settings.algorithm == Algorithm::fsai) {
    comm::StorageParameters const storage{levels.format, levels.chunk_size, levels.sigma};
    return std::make_unique<PreconditionerOf<fsai::Fsai<T, Space>, Space>>(symmetric, space, A, settings.fsai,
                                                                           storage);
  }
  if (levels.bootstrap.components > 1)
    return std::make_unique<PreconditionerOf<multigrid::Bootstrap<T, Space>, Space>>(
        symmetric, space, A, ids(), nullspace, levels);
  return std::make_unique<PreconditionerOf<multigrid::Hierarchy<T, Space>, Space>>(symmetric, space, A, ids(),
                                                                                   nullspace, levels);
}

}  // namespace

template <class Space>
std::unique_ptr<Preconditioner<Space>> make_preconditioner(Space const& space,
                                                           comm::DistCsr<double, Space> const& A,
                                                           NodeIds<Space> const& ids,
                                                           multigrid::NearNullspace const& nullspace,
                                                           Settings const& settings) {
  if (settings.precision == Precision::full) return made<double>(space, A, ids, nullspace, settings);
  auto single = made<float>(space, A, ids, nullspace, settings);
  auto const reason = single->double_precision_reason();
  if (reason.empty()) return single;
  single.reset();  // before its successor needs the memory
  auto with_warning = settings;
  with_warning.multigrid.warnings.push_back("levels are in double: " + reason);
  return made<double>(space, A, ids, nullspace, with_warning);
}

template std::unique_ptr<Preconditioner<InstanceSpace>> make_preconditioner(
    InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&, NodeIds<InstanceSpace> const&,
    multigrid::NearNullspace const&, Settings const&);

}  // namespace Tessera::settings

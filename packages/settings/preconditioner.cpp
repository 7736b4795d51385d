#include "settings/preconditioner.hpp"

#include <type_traits>
#include <utility>

#include "fsai/fsai.hpp"
#include "multigrid/reported_levels.hpp"

namespace Tessera::settings {
namespace {

/// T: number type of the operator.
template <class T, class Space>
class PreconditionerOf final : public Preconditioner<Space> {
 public:
  PreconditionerOf(bool symmetric, std::unique_ptr<comm::TypedOperator<T, Space>> made)
      : symmetric_(symmetric),
        operator_(std::move(made)),
        levels_(dynamic_cast<multigrid::ReportedLevels*>(operator_.get())) {}

  void refresh(comm::DistCsr<double, Space> const& A) override { operator_->refresh(A); }
  std::vector<std::string> const& warnings() const override { return operator_->warnings(); }

  krylov::Preconditioner functions() override {
    krylov::Preconditioner M;
    M.apply = [this](Span<double const> r, Span<double> z) { operator_->apply(r, z); };
    M.symmetric = symmetric_;
    if constexpr (core::SpaceTraits<Space>::asynchronous) {
      M.capturable = operator_->enqueues_only();
      if constexpr (std::is_same_v<T, float>) {
        if (auto const r = operator_->input(); !r.empty())
          M.single = {r, operator_->output(), [this] { operator_->apply(); }};
      }
    }
    return M;
  }
  bool in_double() const override { return std::is_same_v<T, double>; }
  std::string double_precision_reason() const override {
    return in_double() ? std::string() : operator_->double_precision_reason();
  }
  multigrid::HierarchyReport const* report() override {
    return levels_ == nullptr ? nullptr : &levels_->report();
  }

 private:
  bool symmetric_;
  std::unique_ptr<comm::TypedOperator<T, Space>> operator_;
  multigrid::ReportedLevels* levels_;  ///< of the operator; null without levels
};

template <class T, class Space>
std::unique_ptr<Preconditioner<Space>> made(Space const& space, comm::DistCsr<double, Space> const& A,
                                            NodeIds<Space> const& ids,
                                            multigrid::NearNullspace const& nullspace,
                                            Settings const& settings) {
  auto const& levels = settings.multigrid;
  std::unique_ptr<comm::TypedOperator<T, Space>> M;
  if (settings.algorithm == Algorithm::fsai) {
    M = std::make_unique<fsai::Fsai<T, Space>>(space, A, settings.fsai, levels.inverse_storage());
  } else {
    M = multigrid::make_levels<T>(space, A, ids(), nullspace, levels);
  }
  return std::make_unique<PreconditionerOf<T, Space>>(is_symmetric(settings), std::move(M));
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

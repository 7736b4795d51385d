#pragma once
/// \file
/// The preconditioner that settings describe, as one abstract class.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "comm/dist_csr.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "multigrid/reported_levels.hpp"
#include "settings/settings.hpp"

namespace Tessera::settings {

/// M^-1 of any method and number type.
template <class Space>
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// As multigrid::Hierarchy's. Collective.
  virtual void refresh(comm::DistCsr<double, Space> const& A) = 0;
  /// For solvers; valid as long as this object.
  virtual krylov::Preconditioner functions() = 0;
  virtual std::vector<std::string> const& warnings() const = 0;
  virtual bool in_double() const = 0;
  /// As multigrid::Hierarchy's; empty if in double.
  virtual std::string double_precision_reason() const = 0;
  /// Null without levels. The first call after a setup is collective.
  virtual multigrid::HierarchyReport const* report() = 0;
};

/// Ids of the nodes, for each setup anew.
template <class Space>
using NodeIds = std::function<Array<VertexId, Space>()>;

/// Setup. Levels are in double, with a warning, where float is not enough. settings: with the functions of
/// third-party solvers and smoothers if it names any. Collective. \throws as the setups do
template <class Space>
std::unique_ptr<Preconditioner<Space>> make_preconditioner(Space const& space,
                                                           comm::DistCsr<double, Space> const& A,
                                                           NodeIds<Space> const& ids,
                                                           multigrid::NearNullspace const& nullspace,
                                                           Settings const& settings);

}  // namespace Tessera::settings

// How does a deal.II program use Tessera? In the place of TrilinosWrappers::PreconditionAMG, which is ML, on
// the arrays of its matrix: Poisson's equation and elasticity on locally refined meshes with hanging nodes.
#include <deal.II/base/conditional_ostream.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/timer.h>
#include <deal.II/distributed/grid_refinement.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparsity_tools.h>
#include <deal.II/lac/trilinos_precondition.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/numerics/error_estimator.h>
#include <deal.II/numerics/vector_tools.h>

#include <Teuchos_DefaultMpiComm.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_MultiVector.hpp>

#include "Tessera_ReadXml.hpp"
#include "Tessera_SolveArrays.hpp"

namespace {

using namespace dealii;
using Matrix = TrilinosWrappers::SparseMatrix;
using Vector = TrilinosWrappers::MPI::Vector;
using Map = Tpetra::Map<int, long long>;
using Teuchos::RCP;
using Teuchos::rcp;

RCP<Map const> tpetra_map(Epetra_BlockMap const& map, MPI_Comm comm) {
  std::vector<long long> const indices(map.MyGlobalElements(), map.MyGlobalElements() + map.NumMyElements());
  auto const all = Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid();
  return rcp(
      new Map(all, Teuchos::ArrayView<long long const>(indices), 0, rcp(new Teuchos::MpiComm<int>(comm))));
}

/// Tessera's preconditioner for deal.II's solvers. The matrix must exist as long as this object.
class PreconditionTessera {
 public:
  /// modes: the near-nullspace, with the matrix' distribution of rows; empty: constants.
  PreconditionTessera(Matrix const& A, std::vector<Vector> const& modes, Teuchos::ParameterList list) {
    auto const& crs = A.trilinos_matrix();
    int *offsets = nullptr, *columns = nullptr;
    double* values = nullptr;
    crs.ExtractCrsDataPointers(offsets, columns, values);
    Tessera::CsrArrays arrays;
    arrays.rowMap = tpetra_map(crs.RowMap(), A.get_mpi_communicator());
    arrays.columnMap = tpetra_map(crs.ColMap(), A.get_mpi_communicator());
    arrays.offsets32 = offsets, arrays.columns = columns, arrays.values = values;
    arrays.entries = static_cast<std::size_t>(crs.NumMyNonzeros());
    if (!modes.empty()) {
      auto const nullspace =
          rcp(new Tpetra::MultiVector<double, int, long long>(arrays.rowMap, modes.size()));
      for (std::size_t j = 0; j < modes.size(); ++j)
        std::copy(modes[j].begin(), modes[j].end(), nullspace->getDataNonConst(j).begin());
      list.sublist("user data").set("Nullspace", nullspace);
    }
    solver_ = std::make_unique<Tessera::ArraysSolver>(arrays, list);
  }

  void vmult(Vector& y, Vector const& x) const { solver_->apply(x.begin(), y.begin()); }

 private:
  std::unique_ptr<Tessera::ArraysSolver> solver_;
};

/// ML, with the parameters that deal.II chooses.
class PreconditionML {
 public:
  PreconditionML(Matrix const& A, std::vector<Vector> const& modes) {
    TrilinosWrappers::PreconditionAMG::AdditionalData const data;
    if (modes.empty()) {
      M_.initialize(A, data);
      return;
    }
    Teuchos::ParameterList list;
    std::unique_ptr<Epetra_MultiVector> unused;
    data.set_parameters(list, unused, A);
    for (auto const& mode : modes) modes_.insert(modes_.end(), mode.begin(), mode.end());
    list.set("PDE equations", 3);
    list.set("null space: type", "pre-computed").set("null space: dimension", static_cast<int>(modes.size()));
    list.set("null space: vectors", modes_.data());
    M_.initialize(A, list);
  }

  void vmult(Vector& y, Vector const& x) const { M_.vmult(y, x); }

 private:
  std::vector<double> modes_;
  TrilinosWrappers::PreconditionAMG M_;
};

/// A translation in direction `mode`, or from 3 on a rotation about an axis.
class RigidBodyMode final : public Function<3> {
 public:
  explicit RigidBodyMode(unsigned mode) : Function<3>(3), mode_(mode) {}
  double value(Point<3> const& p, unsigned component) const override {
    if (mode_ < 3) return component == mode_ ? 1 : 0;
    unsigned const axis = mode_ - 3;
    if (component == axis) return 0;
    return component == (axis + 1) % 3 ? -p[(axis + 2) % 3] : p[(axis + 1) % 3];
  }

 private:
  unsigned mode_;
};

/// Trilinear elements. Poisson on the L-shaped body, u = 0 all around; elasticity (Lame's constants 1 and 1)
/// of a beam that is clamped at one end and bends under its weight.
class Problem {
 public:
  Problem(MPI_Comm comm, bool elastic)
      : elastic_(elastic),
        comm_(comm),
        out_(std::cout, Utilities::MPI::this_mpi_process(comm) == 0),
        mesh_(comm),
        dofs_(mesh_),
        element_(FE_Q<3>(1), elastic ? 3 : 1) {
    if (elastic) {
      GridGenerator::subdivided_hyper_rectangle(mesh_, {5, 1, 1}, Point<3>(), Point<3>(5, 1, 1), true);
    } else {
      GridGenerator::hyper_L(mesh_);
    }
    mesh_.refine_global(3);
  }

  /// Solves on `refinements` + 1 meshes. Returns the number of solves with a wrong result.
  int run(unsigned refinements, Teuchos::ParameterList const& list) {
    int wrong = 0;
    for (unsigned step = 0; step <= refinements; ++step) {
      if (step > 0) refine();
      assemble();
      out_ << (elastic_ ? "elasticity, " : "Poisson, ") << dofs_.n_dofs() << " unknowns\n";
      std::vector<std::vector<Vector>> near_nullspaces(1);
      if (elastic_) near_nullspaces = {translations_and_rotations(3), translations_and_rotations(6)};
      for (auto const& modes : near_nullspaces) {
        auto const suffix = elastic_ ? ", " + std::to_string(modes.size()) + " modes" : std::string();
        wrong += solve("ML" + suffix, [&] { return std::make_unique<PreconditionML>(A_, modes); });
        wrong +=
            solve("Tessera" + suffix, [&] { return std::make_unique<PreconditionTessera>(A_, modes, list); });
      }
      constraints_.distribute(x_);
    }
    return wrong;
  }

 private:
  std::vector<Vector> translations_and_rotations(unsigned count) const {
    std::vector<Vector> modes;
    for (unsigned mode = 0; mode < count; ++mode) {
      modes.emplace_back(dofs_.locally_owned_dofs(), comm_);
      VectorTools::interpolate(dofs_, RigidBodyMode(mode), modes.back());
    }
    return modes;
  }

  void assemble() {
    dofs_.distribute_dofs(element_);
    auto const owned = dofs_.locally_owned_dofs();
    auto const relevant = DoFTools::extract_locally_relevant_dofs(dofs_);
    constraints_.reinit(relevant);
    DoFTools::make_hanging_node_constraints(dofs_, constraints_);
    VectorTools::interpolate_boundary_values(dofs_, 0, Functions::ZeroFunction<3>(element_.n_components()),
                                             constraints_);
    constraints_.close();
    DynamicSparsityPattern pattern(relevant);
    DoFTools::make_sparsity_pattern(dofs_, pattern, constraints_, false);
    SparsityTools::distribute_sparsity_pattern(pattern, owned, comm_, relevant);
    A_.reinit(owned, owned, pattern, comm_);
    b_.reinit(owned, comm_);
    x_.reinit(owned, comm_);
    QGauss<3> const points(2);
    FEValues<3> values(element_, points, update_values | update_gradients | update_JxW_values);
    auto const n = element_.n_dofs_per_cell();
    FullMatrix<double> matrix(n, n);
    dealii::Vector<double> load(n);
    std::vector<types::global_dof_index> indices(n);
    for (auto const& cell : dofs_.active_cell_iterators()) {
      if (!cell->is_locally_owned()) continue;
      values.reinit(cell);
      matrix = 0;
      load = 0;
      for (unsigned q = 0; q < points.size(); ++q) {
        for (unsigned i = 0; i < n; ++i) {
          for (unsigned j = 0; j < n; ++j) matrix(i, j) += energy(values, i, j, q) * values.JxW(q);
          auto const down = element_.n_components() - 1;
          if (element_.system_to_component_index(i).first == down)
            load(i) += values.shape_value(i, q) * values.JxW(q);
        }
      }
      cell->get_dof_indices(indices);
      constraints_.distribute_local_to_global(matrix, load, indices, A_, b_);
    }
    A_.compress(VectorOperation::add);
    b_.compress(VectorOperation::add);
  }

  /// grad u . grad v; of elasticity, div u div v + 2 e(u) : e(v).
  double energy(FEValues<3> const& values, unsigned i, unsigned j, unsigned q) const {
    auto const &u = values.shape_grad(i, q), &v = values.shape_grad(j, q);
    if (!elastic_) return u * v;
    unsigned const a = element_.system_to_component_index(i).first;
    unsigned const b = element_.system_to_component_index(j).first;
    return u[a] * v[b] + u[b] * v[a] + (a == b ? u * v : 0);
  }

  void refine() {
    Vector ghosted(dofs_.locally_owned_dofs(), DoFTools::extract_locally_relevant_dofs(dofs_), comm_);
    ghosted = x_;
    dealii::Vector<float> errors(mesh_.n_active_cells());
    KellyErrorEstimator<3>::estimate(dofs_, QGauss<2>(2), {}, ghosted, errors);
    parallel::distributed::GridRefinement::refine_and_coarsen_fixed_number(mesh_, errors, 0.2, 0.03);
    mesh_.execute_coarsening_and_refinement();
  }

  /// Conjugate gradients to ||r|| = 1e-8 ||b|| with one preconditioner.
  template <class Make>
  int solve(std::string const& name, Make const& make) {
    Timer setup(comm_, true);
    auto const M = make();
    setup.stop();
    SolverControl control(1000, 1e-8 * b_.l2_norm());
    SolverCG<Vector> cg(control);
    x_ = 0;
    Timer solve(comm_, true);
    cg.solve(A_, x_, b_, *M);
    solve.stop();
    Vector r(b_);
    double const residual = A_.residual(r, x_, b_) / b_.l2_norm();
    bool const solved = residual < 2e-8;
    out_ << "  " << name << ": " << control.last_step() << " iterations, setup " << setup.wall_time()
         << " s, solve " << solve.wall_time() << " s, ||b - A x|| / ||b|| = " << residual
         << (solved ? "" : " NOT SOLVED") << std::endl;
    return solved ? 0 : 1;
  }

  bool elastic_;
  MPI_Comm comm_;
  ConditionalOStream out_;
  parallel::distributed::Triangulation<3> mesh_;
  DoFHandler<3> dofs_;
  FESystem<3> element_;
  AffineConstraints<double> constraints_;
  Matrix A_;
  Vector b_, x_;
};

}  // namespace

/// main LIST.xml [REFINEMENTS]
int main(int argc, char** argv) {
  Utilities::MPI::MPI_InitFinalize const mpi(argc, argv, 1);
  Tpetra::ScopeGuard const scope(&argc, &argv);  // after MPI, which deal.II starts and ends
  auto const list = Tessera::readXml(argv[1], *Tpetra::getDefaultComm());
  unsigned const refinements = argc > 2 ? static_cast<unsigned>(std::stoi(argv[2])) : 1;
  return Problem(MPI_COMM_WORLD, false).run(refinements, list->sublist("Poisson")) +
         Problem(MPI_COMM_WORLD, true).run(refinements, list->sublist("Elasticity"));
}

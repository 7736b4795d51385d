#include "Tessera_ResidentSystem.hpp"

#include <Teuchos_RCPStdSharedPtrConversions.hpp>
#include <atomic>
#include <cstdint>

#include "belos/operators.hpp"
#include "core/error.hpp"
#include "ifpack2/Tessera_Details_Preconditioner_decl.hpp"
#include "ifpack2/any_operator.hpp"
#include "tpetra/import_matrix.hpp"

namespace Tessera {
namespace {

using Ours = Details::Preconditioner<tpetra::RowMatrix>;

char const* const null_matrix =
    "Tessera::ResidentSystem: the matrix is a null pointer; give one that is fill-complete";

parameters::Backend backend_of(std::string const& name) {
  if (name == "host") return parameters::Backend::host;
  if (name == "cuda") return parameters::Backend::cuda;
  TESSERA_VALIDATE(name == "auto", "Tessera::ResidentSystem: there is no back end \"", name,
                   "\"; take auto, host or cuda");
  return parameters::Backend::automatic;
}

/// What a system is made of.
struct Parts {
  std::shared_ptr<belos::Residence const> residence;
  Teuchos::RCP<ResidentOperator const> matrix, preconditioner;
};

/// A copy of A.
template <class Space>
Parts of_matrix(Space const& space, comm::DistCsr<double, Space> const& A, bool symmetric) {
  auto const residence = belos::make_residence(space, A.rows);
  return {residence, Teuchos::rcp(new belos::MatrixOperator<Space>(residence, space, A, symmetric)),
          Teuchos::null};
}

/// The operators keep M alive, and with it what `where` refers to.
template <class Space>
Parts of_preconditioner(Teuchos::RCP<Ours const> const& M, ifpack2::Resident<Space>* where) {
  auto const& A = where->matrix();
  krylov::Preconditioner apply;
  apply.apply = [M, where](Span<double const> b, Span<double> x) { where->apply(b, x); };
  if (!where->single_input().empty())
    apply.single = {where->single_input(), where->single_output(), [M, where] { where->apply_single(); }};
  apply.symmetric = M->hasTransposeApply();
  apply.capturable = where->enqueues_only();
  static std::atomic<std::uint64_t> systems{0};
  apply.version = ++systems;  // the hierarchy stays as it is while the system is used
  auto const residence = belos::make_residence(where->space(), A.rows);
  return {residence,
          Teuchos::rcp(new belos::MatrixOperator<Space>(residence, where->space(), A, true,
                                                        Teuchos::get_shared_ptr(M))),
          Teuchos::rcp(new belos::PreconditionerOperator(residence, apply, M->hasTransposeApply()))};
}

/// M where it lies, which make is called with.
template <class Make>
Parts at_place_of(Teuchos::RCP<Tpetra::Operator<> const> const& M, Make const& make) {
  auto const ours = Teuchos::rcp_dynamic_cast<Ours const>(M);
  TESSERA_VALIDATE(
      !ours.is_null(),
      "Tessera::ResidentSystem: the preconditioner is none of Tessera's; give a "
      "Tessera::SmoothedAggregation, a Tessera::Fsai, or what Tessera::Factory makes of their names");
  auto* const hierarchy = ours->inPlace();
  TESSERA_VALIDATE(hierarchy != nullptr,
                   "Tessera::ResidentSystem: the preconditioner is not computed; call compute() before");
#if defined(TESSERA_HAVE_CUDA)
  if (auto* const where = hierarchy->on_cuda()) return make(ours, where);
#endif
  return make(ours, hierarchy->on_host());
}

Parts resident(Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  return at_place_of(M, [](auto const& ours, auto* where) { return of_preconditioner(ours, where); });
}

/// A copy of A.
Parts resident(Host const& space, comm::DistCsr<double, Host> const& A) {
  return of_matrix(space, A, false);
}
#if defined(TESSERA_HAVE_CUDA)
Parts resident(Cuda const& space, comm::DistCsr<double, Host> const& A) {
  auto parts = of_matrix(space, comm::copied(Host{}, A, space), false);
  core::synchronize(space);  // the host's copy goes away
  return parts;
}
#endif

Parts resident(tpetra::RowMatrix const& A, std::string const& name) {
  auto const imported = tpetra::import_matrix(A);
  parameters::Settings settings;
  settings.backend = backend_of(name);
  [[maybe_unused]] auto const backend = ifpack2::choose_backend(settings, imported.A.rows.comm());
#if defined(TESSERA_HAVE_CUDA)
  if (backend.cuda) return resident(*backend.cuda, imported.A);
#endif
  return resident(Host{}, imported.A);
}

Parts resident(tpetra::RowMatrix const& A, Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  return at_place_of(M, [&A](auto const& ours, auto* where) {
    auto parts = resident(where->space(), tpetra::import_matrix(A).A);
    parts.preconditioner = of_preconditioner(ours, where).preconditioner;
    return parts;
  });
}

}  // namespace

ResidentSystem::ResidentSystem(Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  auto parts = resident(M);
  residence_ = parts.residence;
  matrix_ = parts.matrix;
  preconditioner_ = parts.preconditioner;
}

ResidentSystem::ResidentSystem(Teuchos::RCP<Tpetra::RowMatrix<> const> const& A,
                               Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  TESSERA_VALIDATE(!A.is_null(), null_matrix);
  auto parts = resident(*A, M);
  residence_ = parts.residence;
  matrix_ = parts.matrix;
  preconditioner_ = parts.preconditioner;
}

ResidentSystem ResidentSystem::ofMatrix(Teuchos::RCP<Tpetra::RowMatrix<> const> const& A,
                                        std::string const& backend) {
  TESSERA_VALIDATE(!A.is_null(), null_matrix);
  auto parts = resident(*A, backend);
  ResidentSystem system;
  system.residence_ = parts.residence;
  system.matrix_ = parts.matrix;
  return system;
}

Teuchos::RCP<ResidentMultiVector> ResidentSystem::vectors(int columns) const {
  return Teuchos::rcp(new ResidentMultiVector(residence_, columns));
}

Teuchos::RCP<ResidentMultiVector> ResidentSystem::upload(Tpetra::MultiVector<> const& X) const {
  auto const copy = vectors(static_cast<int>(X.getNumVectors()));
  copy->upload(X);
  return copy;
}

char const* ResidentSystem::backend() const {
  return residence_->backend();
}

void* ResidentSystem::stream() const {
  return residence_->cuda() != nullptr ? residence_->cuda()->stream : nullptr;
}

}  // namespace Tessera

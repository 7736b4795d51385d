#include "Tessera_ResidentSystem.hpp"

#include <Teuchos_RCPStdSharedPtrConversions.hpp>
#include <atomic>
#include <cstdint>

#include "belos/operators.hpp"
#include "core/error.hpp"
#include "ifpack2/Tessera_Details_Preconditioner.hpp"
#include "ifpack2/any_operator.hpp"
#include "tpetra/import_matrix.hpp"
#include "tpetra/types.hpp"

namespace Tessera {
namespace {

using Ours = Details::Preconditioner;

Tpetra::RowMatrix<> const& required(Teuchos::RCP<Tpetra::RowMatrix<> const> const& A) {
  TESSERA_VALIDATE(!A.is_null(),
                   "Tessera::ResidentSystem: the matrix is a null pointer; give one that is fill-complete");
  return *A;
}

settings::Backend backend_of(std::string const& name) {
  if (name == "host") return settings::Backend::host;
  if (name == "cuda") return settings::Backend::cuda;
  TESSERA_VALIDATE(name == "auto", "Tessera::ResidentSystem: there is no back end \"", name,
                   "\"; take auto, host or cuda");
  return settings::Backend::automatic;
}

Ours const& computed(Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  auto const* ours = dynamic_cast<Ours const*>(M.getRawPtr());
  TESSERA_VALIDATE(ours != nullptr,
                   "Tessera::ResidentSystem: the preconditioner is none of Tessera's; give a "
                   "Tessera::SmoothedAggregation, a Tessera::Fsai, or a preconditioner of Tessera::Factory");
  TESSERA_VALIDATE(ours->inPlace() != nullptr,
                   "Tessera::ResidentSystem: the preconditioner is not computed; call compute() before");
  return *ours;
}

}  // namespace

template <class Space>
void ResidentSystem::take_copy(Space const& space, Tpetra::RowMatrix<> const& A) {
  auto const imported = tpetra::import_matrix(A);
  residence_ = belos::make_residence(space, imported.A.rows);
  if constexpr (std::is_same_v<Space, Host>) {
    matrix_ = Teuchos::rcp(new belos::MatrixOperator(residence_, imported.A, false));
  } else {
    auto const copy = comm::copied(Host{}, imported.A, space);
    matrix_ = Teuchos::rcp(new belos::MatrixOperator(residence_, copy, false));
    core::synchronize(space);  // before the host's copy is destroyed
  }
}

ResidentSystem::ResidentSystem(Teuchos::RCP<Tpetra::Operator<> const> const& M,
                               Tpetra::RowMatrix<> const* another) {
  auto const& ours = computed(M);
  std::visit(
      [&](auto const& where) {
        auto const owner = Teuchos::get_shared_ptr(M);
        auto const residence = belos::make_residence(where.space, where.matrix.rows);
        if (another != nullptr) {
          take_copy(where.space, *another);
        } else {
          residence_ = residence;
          matrix_ = Teuchos::rcp(new belos::MatrixOperator(residence_, where.matrix, true, owner));
        }
        auto apply = where.M;
        apply.symmetric = ours.hasTransposeApply();
        static std::atomic<std::uint64_t> systems{0};
        apply.version = ++systems;  // the hierarchy does not change while the system is used
        preconditioner_ = Teuchos::rcp(
            new belos::PreconditionerOperator(residence, apply, ours.hasTransposeApply(), owner));
      },
      ours.inPlace()->resident());
}

ResidentSystem::ResidentSystem(Teuchos::RCP<Tpetra::Operator<> const> const& M)
    : ResidentSystem(M, nullptr) {}

ResidentSystem::ResidentSystem(Teuchos::RCP<Tpetra::RowMatrix<> const> const& A,
                               Teuchos::RCP<Tpetra::Operator<> const> const& M)
    : ResidentSystem(M, &required(A)) {}

ResidentSystem ResidentSystem::ofMatrix(Teuchos::RCP<Tpetra::RowMatrix<> const> const& A,
                                        std::string const& backend) {
  settings::Settings settings;
  auto const& matrix = required(A);
  settings.backend = backend_of(backend);
  ResidentSystem system;
  auto const chosen = ifpack2::choose_backend(settings, tpetra::communicator(*matrix.getComm()));
  std::visit([&](auto const& space) { system.take_copy(space, matrix); }, chosen.space);
  return system;
}

Teuchos::RCP<ResidentMultiVector> ResidentSystem::vectors(int columns) const {
  return Teuchos::rcp(new ResidentMultiVector(residence_, columns));
}

Teuchos::RCP<ResidentMultiVector> ResidentSystem::wrap(std::vector<double*> columns) const {
  return Teuchos::rcp(new ResidentMultiVector(residence_, std::move(columns)));
}

Teuchos::RCP<ResidentMultiVector> ResidentSystem::upload(Tpetra::MultiVector<> const& X) const {
  auto const copy = vectors(static_cast<int>(X.getNumVectors()));
  copy->upload(X);
  return copy;
}

bool ResidentSystem::fits(ResidentMultiVector const& X) const {
  return residence_->fits(X.residence());
}

char const* ResidentSystem::backend() const {
  return residence_->backend();
}

void* ResidentSystem::stream() const {
  return residence_->on_space([](auto const& space) -> void* {
    if constexpr (std::is_same_v<decltype(space), Cuda const&>) return space.stream;
    return nullptr;
  });
}

}  // namespace Tessera

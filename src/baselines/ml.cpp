// ML on an Epetra copy of the matrix. The setup time excludes this copy, because Tpetra matrices cause it,
// not ML. The solve time includes the copies of vectors in apply: two passes over vectors, compared with
// about a hundred passes in a V-cycle.
#include <Epetra_CrsMatrix.h>
#include <Epetra_Map.h>
#include <Epetra_MpiComm.h>
#include <Epetra_Vector.h>
#include <ml_MultiLevelPreconditioner.h>
#include <ml_ValidateParameters.h>

#include <Teuchos_CommHelpers.hpp>
#include <Teuchos_DefaultMpiComm.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "baselines/preconditioner.hpp"
#include "core/error.hpp"
#include "core/timer.hpp"

namespace Tessera::baselines {
namespace {

MPI_Comm raw(Teuchos::Comm<int> const& comm) {
  auto const* mpi = dynamic_cast<Teuchos::MpiComm<int> const*>(&comm);
  return mpi ? (*mpi->getRawMpiComm())() : MPI_COMM_SELF;
}

Epetra_Map copy_map(Matrix::map_type const& map, Epetra_Comm const& comm) {
  TESSERA_VALIDATE(
      map.getMaxAllGlobalIndex() <= std::numeric_limits<int>::max(), "global index ",
      map.getMaxAllGlobalIndex(),
      " exceeds 32 bits (ML uses Epetra, whose indices have 32 bits); choose another preconditioner");
  auto const gids = map.getMyGlobalIndices();
  std::vector<int> mine(gids.extent(0));
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = static_cast<int>(gids(i));
  return Epetra_Map(-1, static_cast<int>(mine.size()), mine.data(), 0, comm);
}

}  // namespace

std::unique_ptr<Epetra_CrsMatrix> copy_to_epetra(Matrix const& A) {
  Epetra_MpiComm const comm(raw(*A.getRowMap()->getComm()));
  auto const rows = copy_map(*A.getRowMap(), comm);
  auto const columns = copy_map(*A.getColMap(), comm);
  auto const local = A.getLocalMatrixHost();
  auto const n = rows.NumMyElements();
  std::vector<int> lengths(n);
  for (int i = 0; i < n; ++i)
    lengths[i] = static_cast<int>(local.graph.row_map(i + 1) - local.graph.row_map(i));
  auto E = std::make_unique<Epetra_CrsMatrix>(Copy, rows, columns, lengths.data(), true);
  for (int i = 0; i < n; ++i) {
    auto const begin = local.graph.row_map(i);
    E->InsertMyValues(i, lengths[i], local.values.data() + begin, local.graph.entries.data() + begin);
  }
  E->FillComplete(copy_map(*A.getDomainMap(), comm), copy_map(*A.getRangeMap(), comm));
  E->OptimizeStorage();
  return E;
}

namespace {

/// Turns ML's exit of the process (ML_EXIT, on all ranks) during its lifetime into an input error: rank 0
/// prints a message, and the exit status is 2.
class ExitAsInputError {
 public:
  /// list: path of ML's parameter list.
  ExitAsInputError(int rank, std::string const& list) {
    static int const once = std::atexit(leave);
    static_cast<void>(once);
    if (rank == 0)
      text_ =
          "tessera: " + list + ": ML has ended the program (its message is above); correct its parameters\n";
    living_ = this;
  }
  ~ExitAsInputError() { living_ = nullptr; }
  ExitAsInputError(ExitAsInputError const&) = delete;
  ExitAsInputError& operator=(ExitAsInputError const&) = delete;

 private:
  static void leave() {
    if (living_ == nullptr) return;
    std::fputs(living_->text_.c_str(), stderr);
    std::fflush(nullptr);
    std::_Exit(2);
  }

  std::string text_;
  static inline ExitAsInputError const* living_ = nullptr;
};

class MlOperator : public Operator {
 public:
  MlOperator(ProblemData const& data, std::unique_ptr<Epetra_CrsMatrix> E, Teuchos::ParameterList& list)
      : data_(data), E_(std::move(E)), b_(E_->RangeMap()), x_(E_->DomainMap()) {
    if (!data.nullspace.is_null()) {
      auto const n = data.nullspace->getLocalLength();
      auto const m = data.nullspace->getNumVectors();
      nullspace_.resize(n * m);
      auto const view = data.nullspace->getLocalViewHost(Tpetra::Access::ReadOnly);
      for (std::size_t j = 0; j < m; ++j)
        for (std::size_t i = 0; i < n; ++i) nullspace_[i + j * n] = view(i, j);
      list.set("null space: type", "pre-computed");
      list.set("null space: dimension", static_cast<int>(m));
      list.set("null space: vectors", nullspace_.data());
    }
    ExitAsInputError const guard(E_->Comm().MyPID(), list.name());
    ml_ = std::make_unique<ML_Epetra::MultiLevelPreconditioner>(*E_, list, true);
    TESSERA_VALIDATE(ml_->IsPreconditionerComputed(),
                     "ML could not build its hierarchy (its message is above); correct its parameters");
  }

  Teuchos::RCP<Matrix::map_type const> getDomainMap() const override { return data_.matrix->getRangeMap(); }
  Teuchos::RCP<Matrix::map_type const> getRangeMap() const override { return data_.matrix->getDomainMap(); }

  void apply(MultiVector const& B, MultiVector& X, Teuchos::ETransp, double alpha,
             double beta) const override {
    auto const b = B.getLocalViewHost(Tpetra::Access::ReadOnly);
    auto const x = X.getLocalViewHost(Tpetra::Access::ReadWrite);
    for (std::size_t j = 0; j < B.getNumVectors(); ++j) {
      std::memcpy(b_.Values(), b.data() + j * b.stride(1), sizeof(double) * b.extent(0));
      if (ml_->ApplyInverse(b_, x_) != 0) throw core::NumericalError("ML's cycle failed");
      for (std::size_t i = 0; i < x.extent(0); ++i)
        x(i, j) = alpha * x_[i] + (beta == 0.0 ? 0.0 : beta * x(i, j));
    }
  }

  Info info() const {
    Info info;
    auto const* ml = ml_->GetML();
    auto const& comm = *data_.matrix->getComm();
    // With "increasing" (ML's default for SA) level 0 is the finest; otherwise the highest number is.
    int const step = ml->ML_finest_level <= ml->ML_coarsest_level ? 1 : -1;
    for (int level = ml->ML_finest_level;; level += step) {
      auto const& A = ml->Amat[level];
      long long const mine[2] = {A.outvec_leng, A.N_nonzeros};
      long long all[2] = {0, 0};
      Teuchos::reduceAll(comm, Teuchos::REDUCE_SUM, 2, mine, all);
      info.levels.push_back({all[0], all[1], 0, {}, {}, {}});
      if (level == ml->ML_coarsest_level) break;
    }
    info.levels.front().nonzeros = static_cast<long long>(data_.matrix->getGlobalNumEntries());
    complete(info);
    return info;
  }

 private:
  ProblemData data_;
  std::unique_ptr<Epetra_CrsMatrix> E_;
  std::vector<double> nullspace_;
  mutable Epetra_Vector b_, x_;
  std::unique_ptr<ML_Epetra::MultiLevelPreconditioner> ml_;
};

/// Rejects values for which ML ends the process or crashes. known: the entry with its default.
void check_value(std::string const& name, Teuchos::ParameterEntry const& entry,
                 Teuchos::ParameterEntry const& known) {
  char const* const where = "Preconditioner Types -> ML -> ML Settings: \"";
  bool const off = (entry.isType<bool>() && !Teuchos::getValue<bool>(entry)) ||
                   (entry.isType<int>() && Teuchos::getValue<int>(entry) == 0);
  TESSERA_VALIDATE(off || (name != "viz: enable" && name != "repartition: enable"), where, name,
                   "\" needs coordinates (ML gets none here); leave it out");
  TESSERA_VALIDATE(name != "aggregation: type" || Teuchos::getValue<std::string>(entry) != "user", where,
                   name, "\" is user (a program would have to give the aggregates); choose another type");
  if (!entry.isType<int>() || !known.isType<int>()) return;
  int const value = Teuchos::getValue<int>(entry), standard = Teuchos::getValue<int>(known);
  int const least = name == "max levels" || name == "PDE equations" ? 1 : 0;
  TESSERA_VALIDATE(value >= least || standard < 0, where, name, "\" is ", value, "; it must be at least ",
                   least);
}

/// Checks names and values, because ML's own check prints its whole table to standard output. Names may end
/// in " (level 2)", and parameters of the coarse solver are the smoother's. ML checks sublists (one for each
/// level) itself.
void check(Teuchos::ParameterList const& settings) {
  std::unique_ptr<Teuchos::ParameterList> const valid(ML_Epetra::GetValidMLPParameters());
  std::string const coarse = "coarse: ";
  for (auto const& entry : settings) {
    auto const name = entry.first.substr(0, entry.first.find(" (level"));
    bool const smoothers = !valid->isParameter(name) && name.compare(0, coarse.size(), coarse) == 0;
    auto const* known = valid->getEntryPtr(smoothers ? "smoother: " + name.substr(coarse.size()) : name);
    TESSERA_VALIDATE(known || entry.second.isList(), "Preconditioner Types -> ML -> ML Settings: \"",
                     entry.first, "\" is not a parameter of ML; see the user's guide of ML");
    if (!known) continue;
    if (!known->validator().is_null()) known->validator()->validate(entry.second, entry.first, "ML Settings");
    check_value(entry.first, entry.second, *known);
  }
}

}  // namespace

Preconditioner make_ml(Teuchos::ParameterList const& list, ProblemData const& data) {
  auto const method =
      list.isParameter("Base Method Defaults") ? list.get<std::string>("Base Method Defaults") : "SA";
  Teuchos::ParameterList valid("ML"), settings;
  valid.set("Base Method Defaults", "SA");
  valid.sublist("ML Settings").disableRecursiveValidation();
  list.validateParameters(valid, 0);
  bool known = method == "none";
  for (auto name : {"SA", "NSSA", "DD", "DD-ML"})
    known = known || method == name;  // ML would print an error of its own
  TESSERA_VALIDATE(
      known && (method == "none" || ML_Epetra::SetDefaults(method, settings, nullptr, nullptr, true) == 0),
      "Preconditioner Types -> ML -> Base Method Defaults: \"", method,
      "\" is not a method of ML; choose \"SA\", \"NSSA\", \"DD\", \"DD-ML\" or \"none\"");
  settings.setName(list.name() + "->ML Settings");  // SetDefaults has replaced the name
  settings.set("ML output", 0);
  settings.set("PDE equations", data.equations);
  if (list.isSublist("ML Settings")) settings.setParameters(list.sublist("ML Settings"));
  check(settings);
  settings.set("ML validate parameter list", false);

  core::Stopwatch const watch{};
  auto E = copy_to_epetra(*data.matrix);
  double const conversion = watch.seconds();
  auto const bytes = static_cast<std::size_t>(E->NumMyNonzeros()) * (sizeof(double) + sizeof(int)) +
                     static_cast<std::size_t>(E->NumMyRows()) * (2 * sizeof(int) + sizeof(double*));
  auto op = Teuchos::rcp(new MlOperator(data, std::move(E), settings));
  return {"ML", op, conversion, bytes, [op] { return op->info(); }};
}

}  // namespace Tessera::baselines

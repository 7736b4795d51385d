// ML through an Epetra copy of the matrix. The copy is not counted as setup: it is the price of our Tpetra
// matrix, not ML's. The copies of vectors in apply are in the solve: two passes over vectors beside a
// V-cycle's hundred.
#include <Epetra_Vector.h>
#include <ml_MultiLevelPreconditioner.h>
#include <ml_ValidateParameters.h>

#include <Teuchos_CommHelpers.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "baselines/epetra_copy.hpp"
#include "baselines/make.hpp"
#include "core/error.hpp"

namespace Tessera::baselines {
namespace {

/// ML ends the process where it cannot go on (ML_EXIT), on all ranks. While this lives, that is bad input,
/// and rank 0 says so.
class ExitIsBadInput {
 public:
  /// list: the path of ML's.
  ExitIsBadInput(int rank, std::string const& list) {
    static int const once = std::atexit(leave);
    static_cast<void>(once);
    if (rank == 0)
      text_ = "tessera: " + list + ": ML has ended the program; it says above why. Correct its parameters\n";
    living_ = this;
  }
  ~ExitIsBadInput() { living_ = nullptr; }
  ExitIsBadInput(ExitIsBadInput const&) = delete;
  ExitIsBadInput& operator=(ExitIsBadInput const&) = delete;

 private:
  static void leave() {
    if (living_ == nullptr) return;
    std::fputs(living_->text_.c_str(), stderr);
    std::fflush(nullptr);
    std::_Exit(2);
  }

  std::string text_;
  static inline ExitIsBadInput const* living_ = nullptr;
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
    ExitIsBadInput const guard(E_->Comm().MyPID(), list.name());
    ml_ = std::make_unique<ML_Epetra::MultiLevelPreconditioner>(*E_, list, true);
    TESSERA_VALIDATE(ml_->IsPreconditionerComputed(), "ML could not build its hierarchy");
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
    // With "increasing" (ML's default for SA) level 0 is the finest; else the finest has the highest number.
    int const step = ml->ML_finest_level <= ml->ML_coarsest_level ? 1 : -1;
    for (int level = ml->ML_finest_level;; level += step) {
      auto const& A = ml->Amat[level];
      long long const mine[2] = {A.outvec_leng, A.N_nonzeros};
      long long all[2] = {0, 0};
      Teuchos::reduceAll(comm, Teuchos::REDUCE_SUM, 2, mine, all);
      info.levels.push_back({all[0], all[1], 0, {}, {}});
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

/// What ML ends the process for, or crashes on. known: the entry with its default.
void check_value(std::string const& name, Teuchos::ParameterEntry const& entry,
                 Teuchos::ParameterEntry const& known) {
  char const* const where = "Preconditioner Types -> ML -> ML Settings: \"";
  bool const off = (entry.isType<bool>() && !Teuchos::getValue<bool>(entry)) ||
                   (entry.isType<int>() && Teuchos::getValue<int>(entry) == 0);
  TESSERA_VALIDATE(off || (name != "viz: enable" && name != "repartition: enable"), where, name,
                   "\" needs coordinates, which are not given to ML here; leave it out");
  TESSERA_VALIDATE(name != "aggregation: type" || Teuchos::getValue<std::string>(entry) != "user", where,
                   name, "\" is user, for which a program must give aggregates; choose another");
  if (!entry.isType<int>() || !known.isType<int>()) return;
  int const value = Teuchos::getValue<int>(entry), standard = Teuchos::getValue<int>(known);
  int const least = name == "max levels" || name == "PDE equations" ? 1 : 0;
  TESSERA_VALIDATE(value >= least || standard < 0, where, name, "\" is ", value, "; it must be at least ",
                   least);
}

/// ML's own check prints its whole table to standard output, so names and values are checked here. They may
/// end in " (level 2)", and those of the coarse solver are the smoother's; sublists (one a level) are left to
/// ML.
void check(Teuchos::ParameterList const& settings) {
  std::unique_ptr<Teuchos::ParameterList> const valid(ML_Epetra::GetValidMLPParameters());
  std::string const coarse = "coarse: ";
  for (auto const& entry : settings) {
    auto const name = entry.first.substr(0, entry.first.find(" (level"));
    bool const smoothers = !valid->isParameter(name) && name.compare(0, coarse.size(), coarse) == 0;
    auto const* known = valid->getEntryPtr(smoothers ? "smoother: " + name.substr(coarse.size()) : name);
    TESSERA_VALIDATE(known || entry.second.isList(), "Preconditioner Types -> ML -> ML Settings: \"",
                     entry.first, "\" is not a parameter of ML; see its user's guide");
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
    known = known || method == name;  // ML would print its refusal
  TESSERA_VALIDATE(
      known && (method == "none" || ML_Epetra::SetDefaults(method, settings, nullptr, nullptr, true) == 0),
      "Preconditioner Types -> ML -> Base Method Defaults: \"", method,
      "\" is not known; choose \"SA\", \"NSSA\", \"DD\", \"DD-ML\" or \"none\"");
  settings.setName(list.name() + "->ML Settings");  // SetDefaults has given it one of its own
  settings.set("ML output", 0);
  settings.set("PDE equations", data.equations);
  if (list.isSublist("ML Settings")) settings.setParameters(list.sublist("ML Settings"));
  check(settings);
  settings.set("ML validate parameter list", false);

  auto const start = std::chrono::steady_clock::now();
  auto E = copy_to_epetra(*data.matrix);
  std::chrono::duration<double> const conversion = std::chrono::steady_clock::now() - start;
  auto const bytes = static_cast<std::size_t>(E->NumMyNonzeros()) * (sizeof(double) + sizeof(int)) +
                     static_cast<std::size_t>(E->NumMyRows()) * (2 * sizeof(int) + sizeof(double*));
  auto op = Teuchos::rcp(new MlOperator(data, std::move(E), settings));
  return {"ML", op, conversion.count(), bytes, [op] { return op->info(); }};
}

}  // namespace Tessera::baselines

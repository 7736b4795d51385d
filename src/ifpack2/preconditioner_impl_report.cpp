// What a PreconditionerImpl says of itself.
#include <Teuchos_VerboseObject.hpp>
#include <array>
#include <mutex>
#include <set>
#include <utility>

#include "ifpack2/preconditioner_impl.hpp"
#include "ifpack2/report.hpp"

namespace Tessera::ifpack2 {

std::string PreconditionerImpl::last_compute() const {
  return std::array<std::string, 6>{"nothing",
                                    "setup",
                                    method_.refresh,
                                    method_.reuse,
                                    "setup (refreshes had cost too many iterations)",
                                    "load (of a setup that was saved)"}[static_cast<int>(done_)];
}

std::vector<std::pair<std::string, std::string>> PreconditionerImpl::facts() const {
  bool const single =
      operator_ ? !operator_->in_double() : settings_.precision == parameters::Precision::single;
  std::vector<std::pair<std::string, std::string>> facts{
      {"Backend", backend_ ? backend_->words : planned_backend(settings_)},
      {"Precision", single ? "float" : "double"},
      {"Last compute", "\"" + last_compute() + "\""}};
  if (method_.has_levels && settings_.multigrid.cycle == multigrid::CycleType::K) {
    facts.emplace_back(
        "Meant for",
        "\"flexible solvers, such as TESSERA FLEXIBLE CG, since a K-cycle is not linear; plain CG "
        "works in practice, plain GMRES stops too early\"");
  } else if (single) {
    facts.emplace_back(
        "Meant for",
        "\"CG and flexible solvers; others, such as GMRES, need precision: hierarchy = double\"");
  }
  return facts;
}

std::string PreconditionerImpl::report(Teuchos::EVerbosityLevel level) {
  if (!operator_) return {};
  std::string text;
  if (level >= Teuchos::VERB_MEDIUM)
    text = (list_.numParams() == 0 ? "Parameters: {}\n" : "Parameters:\n") + list_text(list_, "  ");
  auto const* levels = operator_->hierarchy_report();
  auto const* factor = operator_->fsai_report();
  text += levels != nullptr ? hierarchy_table(*levels) : fsai_table(*factor);
  if (level >= Teuchos::VERB_HIGH) text += phase_table(levels != nullptr ? levels->phases : factor->phases);
  return text;
}

namespace {

/// Whether the process says this for the first time: a program may make many preconditioners of one list.
bool is_news(std::string const& text) {
  static std::mutex mutex;
  static std::set<std::string> said;
  std::lock_guard const lock(mutex);
  return said.insert(text).second;
}

}  // namespace

void PreconditionerImpl::announce(int rank) {
  using parameters::Verbosity;
  auto const notes = std::exchange(notes_, {});
  if (settings_.verbosity == Verbosity::none) return;
  std::string text;
  for (auto const& note : notes)
    if (is_news(note)) text += "Tessera: warning: " + note + "\n";
  if (settings_.verbosity == Verbosity::low) {
    for (auto const& warning : operator_->warnings()) text += "Tessera: warning: " + warning + "\n";
  } else {
    auto const level = settings_.verbosity == Verbosity::medium ? Teuchos::VERB_LOW
                       : settings_.verbosity == Verbosity::high ? Teuchos::VERB_HIGH
                                                                : Teuchos::VERB_EXTREME;
    text += method_.name + "\n" + report(level);
  }
  if (rank != 0 || text.empty()) return;
  auto const out = Teuchos::VerboseObjectBase::getDefaultOStream();
  *out << text;
  out->getOStream()->flush();  // a FancyOStream keeps its own flush to itself; a solve may take long
}

void PreconditionerImpl::warn_staging(int rank) const {
  static bool said = false;  // once for the process: a program may make many preconditioners
  if (said || operator_->staged_bytes() == 0) return;
  said = true;
  if (rank != 0) return;
  *Teuchos::VerboseObjectBase::getDefaultOStream()
      << "Tessera: vectors lie on the host and the " << method_.thing << " on " << operator_->device()
      << ": each apply() copies " << operator_->staged_bytes()
      << " bytes a column between them (rank 0); Tessera::solve leaves vectors on the GPU.\n";
}

}  // namespace Tessera::ifpack2

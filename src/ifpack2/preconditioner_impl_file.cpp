// How a PreconditionerImpl goes to files and comes back.
#include "comm/row_checks.hpp"
#include "core/version.hpp"
#include "ifpack2/preconditioner_impl.hpp"

namespace Tessera::ifpack2 {

std::unique_ptr<PreconditionerImpl> PreconditionerImpl::clone_config() const {
  auto other = std::make_unique<PreconditionerImpl>(method_.name);
  other->list_ = list_;
  other->settings_ = settings_;
  other->notes_ = notes_;
  other->from_list_ = from_list_;
  other->from_setters_ = from_setters_;
  other->level_comes_ = level_comes_;
  other->said_ = said_;
  other->backend_ = backend_;
  return other;
}

SavedFor PreconditionerImpl::purpose() const {
  SavedFor what;
  what.version = core::version();
  what.ranks = comm_.size();
  what.rank = comm_.rank();
  what.said = parameters_of_setup(said_);
  what.in_double = operator_ && operator_->in_double();
  what.pattern = pattern_checksum(imported_->A, tpetra::row_ids(*row_map_));
  what.values = comm::checksum(Host{}, imported_->A);
  if (method_.has_levels) what.data = data_checksum(data());
  return what;
}

void PreconditionerImpl::save(std::string const& path) {
  SavedFor what;
  comm::agree_on_errors(comm_, [&] {
    TESSERA_VALIDATE(!setup_is_stale_, method_.name,
                     "::save: parameters or vectors have been set since compute(), and what is saved would "
                     "not be theirs; call compute() before save()");
    TESSERA_VALIDATE(settings_.multigrid.coarse == multigrid::CoarseType::dense ||
                         settings_.multigrid.coarse == multigrid::CoarseType::smoother,
                     method_.name,
                     "::save: the factors of the coarsest matrix are Amesos2's or cuDSS' and cannot be "
                     "saved; take `coarse: "
                     "type` = dense or smoother");
    TESSERA_VALIDATE(!parameters::has_foreign_smoother(settings_), method_.name,
                     "::save: smoothers of Ifpack2 cannot be saved; take `smoother: type` = CHEBYSHEV, "
                     "RELAXATION or FSAI");
    what = purpose();
    auto const* const report = operator_->hierarchy_report();
    TESSERA_VALIDATE(report == nullptr || report->levels.front().checksum == what.values, method_.name,
                     "::save: the matrix has other values than those that the hierarchy was made of; call "
                     "compute() before save(), with `reuse: type` = none or tP");
  });
  write_setup(path, comm_, what, [this](core::Archive& file) { operator_->save(file); });
}

void PreconditionerImpl::load(std::string const& path) {
  SavedFor here;
  comm::agree_on_errors(comm_, [&] { here = purpose(); });
  SavedSetup saved(path, comm_, here);
  comm::agree_on_errors(comm_, [&] {
    // It is double, too, where float was not enough.
    if (saved.made_for().in_double) settings_.precision = parameters::Precision::full;
    make(&saved.contents());
    auto const left = saved.contents().left();
    saved.contents().require(left == 0, left, " bytes are left");
    done_ = Done::load;
    announce(comm_.rank());
  });
}

}  // namespace Tessera::ifpack2

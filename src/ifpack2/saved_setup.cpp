// Files of setups; PreconditionerImpl::save() and load().
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <utility>

#include "comm/row_checks.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/version.hpp"
#include "ifpack2/preconditioner_impl.hpp"
#include "tpetra/output_file.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::ifpack2 {
namespace {

constexpr char file_mark[8] = {'\x89', 'T', 'e', 's', 's', 'e', 'r', 'a'};
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::uint32_t format_version = 4;
constexpr std::size_t chunk_bytes = std::size_t{1} << 20;

/// The first bytes of every file.
struct FileHeader {
  char what[8] = {};
  std::uint32_t order = 0, format = 0;
  unsigned char sizes[8] = {};

  static FileHeader of_this_build() {
    FileHeader one;
    std::memcpy(one.what, file_mark, sizeof file_mark);
    one.order = byte_order;
    one.format = format_version;
    unsigned char const sizes[] = {sizeof(Index), sizeof(Offset), sizeof(GlobalIndex), sizeof(VertexId),
                                   sizeof(float), sizeof(double), sizeof(bool),        sizeof(int)};
    std::memcpy(one.sizes, sizes, sizeof sizes);
    return one;
  }
};
static_assert(sizeof(FileHeader) == 24, "padding bytes would be undefined");

std::string path_of(std::string const& path, int rank) {
  return rank == 0 ? path : path + "." + std::to_string(rank);
}

/// A number that is equal in all files of one save, and differs between saves.
std::uint64_t new_save_id(comm::Communicator const& comm) {
  auto const now = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  auto const mine = core::mix64(now ^ (static_cast<std::uint64_t>(getpid()) << 40)) >> 2;
  return static_cast<std::uint64_t>(comm.max(static_cast<GlobalIndex>(comm.rank() == 0 ? mine : 0)));
}

/// A text on the first parameter that differs; empty if none does.
std::string difference(parameters::NamedSettings const& saved, parameters::NamedSettings const& wanted) {
  std::map<std::string, std::string> before(saved.begin(), saved.end());
  for (auto const& [name, value] : wanted) {
    auto const found = before.find(name);
    auto const was = found == before.end() ? "not known" : found->second;
    if (was != value)
      return core::message("\"", name, "\" was ", core::excerpt(was, 100), ", and is ",
                           core::excerpt(value, 100));
    before.erase(found);
  }
  return before.empty() ? "" : core::message("\"", before.begin()->first, "\" is not known");
}

}  // namespace

void SetupOrigin::archive(core::Archive& file) {
  auto& [of, together, all, mine, texts, digits, columns, entries, vectors] = *this;
  file(of, together, all, mine);
  auto count = static_cast<std::uint64_t>(texts.size());
  file(count);
  file.require(count <= 10000, "there are ", count, " parameters");
  texts.resize(count);
  for (auto& [name, value] : texts) file(name, value);
  file(digits, columns, entries, vectors);
}

parameters::NamedSettings parameters_of_setup(parameters::NamedSettings all) {
  auto const is_irrelevant = [](auto const& one) {
    for (auto const* begin :
         {"backend: ", "communication: ", "reuse: ", "verbosity", "timer for ", "tessera: strict"})
      if (one.first.rfind(begin, 0) == 0) return true;
    return false;
  };
  all.erase(std::remove_if(all.begin(), all.end(), is_irrelevant), all.end());
  return all;
}

std::uint64_t pattern_checksum(comm::DistCsr<double, Host> const& A, tpetra::RowIds const& row_ids) {
  core::Checksum sum;
  auto const add = [&](auto const& values) {
    auto const size = static_cast<std::uint64_t>(values.size());
    sum.add(&size, sizeof size);
    sum.add(values.data(), values.size() * sizeof(*values.data()));
  };
  add(A.local.offsets.view());
  add(A.local.column.view());
  add(A.halo.ghosts());
  add(row_ids.listed);
  for (GlobalIndex const number : {row_ids.first, A.rows.begin()}) sum.add(&number, sizeof number);
  return sum.value();
}

std::uint64_t data_checksum(UserData const& data) {
  core::Checksum sum;
  for (auto const* vectors : {&data.nullspace, &data.coordinates, &data.material}) {
    if (vectors->is_null()) continue;
    tpetra::ReadColumns const columns(**vectors);
    for (std::size_t c = 0; c < columns.size(); ++c)
      sum.add(columns[c].data(), columns[c].size() * sizeof(double));
  }
  return sum.value();
}

void write_setup(std::string const& path, comm::Communicator const& comm, SetupOrigin origin,
                 std::function<void(core::Archive&)> const& body) {
  std::unique_ptr<tpetra::OutputFile> output;
  comm::agree_on_errors(comm, [&] {
    origin.save = new_save_id(comm);
    output = std::make_unique<tpetra::OutputFile>(path_of(path, comm.rank()));
    core::Checksum sum;
    auto const put = [&](void const* memory, std::size_t bytes) {
      sum.add(memory, bytes);
      output->write({static_cast<char const*>(memory), bytes});
    };
    auto const header = FileHeader::of_this_build();
    put(&header, sizeof header);
    auto file = core::Archive::saving(put);
    origin.archive(file);
    body(file);
    auto const end = sum.value();
    put(&end, sizeof end);
    output->complete();
  });
  comm::agree_on_errors(comm, [&] { output->finish(); });
}

SavedSetup::SavedSetup(std::string const& path, comm::Communicator const& comm, SetupOrigin const& wanted)
    : path_(path_of(path, comm.rank())) {
  // Rank 0 first, whose file has the number of ranks.
  comm::agree_on_errors(comm, [&] {
    if (comm.rank() == 0) open(0);
    if (comm.rank() == 0) require_match(wanted);
  });
  comm::agree_on_errors(comm, [&] {
    if (comm.rank() != 0) open(comm.rank());
    if (comm.rank() != 0) require_match(wanted);
  });
  auto const mine = static_cast<GlobalIndex>(origin_.save);
  auto const first = comm.max(comm.rank() == 0 ? mine : 0);
  bool const together = !comm.any(mine != first);
  comm::agree_on_errors(comm, [&] {
    if (!together) refuse("was not saved together with the files of the other ranks");
  });
}

void SavedSetup::refuse(std::string const& why, std::string const& instead) const {
  throw core::InvalidInput(path_ + ": " + why + "; " + instead +
                           "compute the preconditioner and save it anew");
}

void SavedSetup::read(void* memory, std::size_t bytes) {
  if (std::fread(memory, 1, bytes, file_.get()) != bytes) refuse("cannot be read to its end");
}

/// Reads the header first, to report files of other machines and versions as such, then the checksum, then
/// the rest.
void SavedSetup::open(int rank) {
  struct stat status {};
  errno = 0;
  if (stat(path_.c_str(), &status) == 0 && S_ISREG(status.st_mode))
    file_.reset(std::fopen(path_.c_str(), "rb"));
  if (!file_)
    refuse(core::message("cannot be read (", errno != 0 ? std::strerror(errno) : "it is no regular file",
                         rank > 0 ? core::message(", where the part of rank ", rank, " should be") : "",
                         ")"));
  FileHeader found;
  auto const size = static_cast<std::size_t>(status.st_size), trailer = sizeof(std::uint64_t);
  auto const expected = FileHeader::of_this_build();
  if (size < sizeof found + trailer) refuse(core::message("has ", size, " bytes, and is no saved setup"));
  read(&found, sizeof found);
  if (std::memcmp(found.what, expected.what, sizeof found.what) != 0)
    refuse("is no setup that Tessera has saved");
  if (found.order != byte_order) refuse("was saved on a machine with another order of bytes");
  if (found.format != format_version)
    refuse(core::message("is of format ", found.format, ", and this Tessera reads format ", format_version));
  if (std::memcmp(found.sizes, expected.sizes, sizeof found.sizes) != 0)
    refuse("was saved by a build with numbers of other sizes");
  core::Checksum sum;
  sum.add(&found, sizeof found);
  std::vector<char> buffer(chunk_bytes);
  for (auto rest = size - sizeof found - trailer; rest > 0;) {
    auto const now = std::min(rest, chunk_bytes);
    read(buffer.data(), now);
    sum.add(buffer.data(), now);
    rest -= now;
  }
  std::uint64_t end = 0;
  read(&end, sizeof end);
  if (end != sum.value()) refuse("is damaged: its checksum is not that of its bytes (it was cut or changed)");
  std::fseek(file_.get(), sizeof found, SEEK_SET);
  contents_ = std::make_unique<core::Archive>(
      core::Archive::loading([this](void* memory, std::size_t bytes) { read(memory, bytes); },
                             size - sizeof found - trailer, path_));
  origin_.archive(*contents_);
}

void SavedSetup::require_match(SetupOrigin const& wanted) const {
  auto const& saved = origin_;
  if (saved.version != wanted.version)
    refuse(core::message("was saved by Tessera ", core::excerpt(saved.version, 30), ", and this is ",
                         wanted.version, ", whose hierarchies may differ"));
  if (saved.ranks != wanted.ranks)
    refuse(core::message("was saved by ", saved.ranks, saved.ranks == 1 ? " rank" : " ranks", ", and here ",
                         wanted.ranks == 1 ? "is " : "are ", wanted.ranks),
           core::message("run with ", saved.ranks, ", or "));
  if (saved.rank != wanted.rank)
    refuse(core::message("is the part of rank ", saved.rank, ", and here is rank ", wanted.rank));
  if (auto const other = difference(saved.settings, wanted.settings); !other.empty())
    refuse("was saved with other parameters (" + other + ")", "give those that it was saved with, or ");
  if (saved.pattern != wanted.pattern)
    refuse("was saved for another matrix (other rows or columns, or otherwise distributed)");
  if (saved.values != wanted.values)
    refuse("was saved for another matrix (of the same pattern, with other values)");
  if (saved.data != wanted.data)
    refuse("was saved for another near-nullspace, other coordinates or materials");
}

std::unique_ptr<PreconditionerImpl> PreconditionerImpl::clone_config() const {
  auto other = std::make_unique<PreconditionerImpl>(method_.name);
  other->list_ = list_;
  other->settings_ = settings_;
  other->notes_ = notes_;
  other->from_list_ = from_list_;
  other->from_setters_ = from_setters_;
  other->on_level_ = on_level_;
  other->agreed_settings_ = agreed_settings_;
  other->backend_ = backend_;
  return other;
}

SetupOrigin PreconditionerImpl::origin() const {
  SetupOrigin made;
  made.version = core::version();
  made.ranks = comm_.size();
  made.rank = comm_.rank();
  made.settings = parameters_of_setup(agreed_settings_);
  made.in_double = operator_ && operator_->in_double();
  made.pattern = matrix_->pattern_checksum(tpetra::row_ids(*row_map_));
  made.values = matrix_->checksum();
  if (method_.has_levels) made.data = data_checksum(data());
  return made;
}

void PreconditionerImpl::save(std::string const& path) {
  SetupOrigin made;
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
    TESSERA_VALIDATE(!settings::has_foreign_smoother(settings_), method_.name,
                     "::save: smoothers of Ifpack2 cannot be saved; take `smoother: type` = CHEBYSHEV, "
                     "RELAXATION or FSAI");
    made = origin();
    auto const* const report = operator_->hierarchy_report();
    TESSERA_VALIDATE(report == nullptr || report->levels.front().checksum == made.values, method_.name,
                     "::save: the matrix has other values than those that the hierarchy was made of; call "
                     "compute() before save(), with `reuse: type` = none or tP");
  });
  write_setup(path, comm_, made, [this](core::Archive& file) { operator_->save(file); });
}

void PreconditionerImpl::load(std::string const& path) {
  SetupOrigin wanted;
  comm::agree_on_errors(comm_, [&] { wanted = origin(); });
  SavedSetup saved(path, comm_, wanted);
  comm::agree_on_errors(comm_, [&] {
    // The setup is in double, too, if float was not enough.
    if (saved.origin().in_double) settings_.precision = settings::Precision::full;
    make(&saved.contents());
    auto const left = saved.contents().bytes_left();
    saved.contents().require(left == 0, left, " bytes are left");
    last_compute_ = LastCompute::load;
    print_notes(comm_.rank());
  });
}

}  // namespace Tessera::ifpack2

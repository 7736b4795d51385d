#include "tpetra/output_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/error.hpp"

namespace Tessera::tpetra {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string const& path, char const* what, int error) {
  throw core::InvalidInput(core::message(path, ": ", what, " (", std::strerror(error),
                                         "); check the path, its permissions and the room on its disk"));
}

/// The descriptor of standard output or standard error if it is the file of this status; -1: neither.
int standard_stream(struct stat const& status) {
  for (int const descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat own {};
    if (fstat(descriptor, &own) == 0 && own.st_dev == status.st_dev && own.st_ino == status.st_ino)
      return descriptor;
  }
  return -1;
}

/// Opens a temporary file in the folder of `target`, with the permissions of `target` if that exists.
int create_temporary(std::string const& target, bool exists, mode_t mode, std::string& temporary) {
  temporary = (fs::path(target).parent_path() / ".tessera-XXXXXX").string();
  int const descriptor = mkstemp(temporary.data());
  if (descriptor < 0) {
    temporary.clear();
    return -1;
  }
  if (!exists) {
    mode_t const masked = umask(0);
    umask(masked);
    mode = 0666 & ~masked;
  }
  fchmod(descriptor, mode);  // mkstemp makes it private
  return descriptor;
}

}  // namespace

OutputFile::OutputFile(std::string const& path) : path_(path) {
  struct stat status {};
  bool const exists = stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) refuse(path_, "cannot be written", errno);
  std::error_code unknown;
  bool const leads_nowhere = !exists && fs::is_symlink(path, unknown);
  int descriptor = exists ? standard_stream(status) : -1;
  if (descriptor >= 0) {
    std::fflush(stdout);  // earlier output comes first
    file_ = fdopen(dup(descriptor), "wb");
  } else if (leads_nowhere || (exists && !S_ISREG(status.st_mode))) {
    file_ = std::fopen(path.c_str(), "wb");
  } else if (!exists || access(path.c_str(), W_OK) == 0) {
    target_ = exists ? fs::canonical(path, unknown).string() : path;
    descriptor = create_temporary(target_, exists, status.st_mode & 07777, temporary_);
    if (descriptor >= 0) file_ = fdopen(descriptor, "wb");
  }
  if (file_ == nullptr) refuse(path_, "cannot be written", errno);
}

OutputFile::~OutputFile() {
  if (file_) std::fclose(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view text) {
  if (error_ == 0 && std::fwrite(text.data(), 1, text.size(), file_) != text.size()) error_ = errno;
}

void OutputFile::complete() {
  if (file_ == nullptr) return;
  if (std::fflush(file_) != 0 && error_ == 0) error_ = errno;
  // Some file systems report a full disk only now.
  if (!temporary_.empty() && fsync(fileno(file_)) != 0 && error_ == 0) error_ = errno;
  auto* const file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0 && error_ == 0) error_ = errno;
  if (error_ != 0) refuse(path_, "cannot be written to its end", error_);
}

void OutputFile::finish() {
  complete();
  if (error_ == 0 && !temporary_.empty()) {
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0)
      error_ = errno;
    else
      temporary_.clear();
  }
  if (error_ != 0) refuse(path_, "cannot be written to its end", error_);
}

void require_writable(std::string const& path) {
  struct stat status {};
  // Opening a pipe would wait for its reader, which would then reach the end of file.
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    if (access(path.c_str(), W_OK) != 0) refuse(path, "cannot be written", errno);
    return;
  }
  OutputFile const trial(path);
}

}  // namespace Tessera::tpetra

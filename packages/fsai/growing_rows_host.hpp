#pragma once
/// \file
/// Rows of columns whose lengths nobody knows before they are made, on the host.
#include <omp.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "core/parallel.hpp"
#include "fsai/lower_rows.hpp"

namespace Tessera::fsai {

/// Where the rows lie until all of them are known.
class GrowingRows {
 public:
  explicit GrowingRows(Index rows) : row_(Host{}, rows), count_(Host{}, rows) {}

  /// One thread's way to add rows.
  class Writer {
   public:
    explicit Writer(GrowingRows& target) : target_(target) {}
    /// Room for the columns of row r, which the caller writes.
    Index* add(Index r, Index count) {
      if (static_cast<std::size_t>(count) > free_) add_chunk(count);
      target_.row_[r] = next_;
      target_.count_[r] = count;
      auto* const place = next_;
      next_ += count;
      free_ -= count;
      return place;
    }

   private:
    void add_chunk(Index least) {
      constexpr std::size_t usual = std::size_t{1} << 20;  // 4 MiB: a size that MemoryReuse keeps
      free_ = std::max<std::size_t>(least,
                                    std::min(usual, 64 * (target_.row_.size() / omp_get_max_threads() + 1)));
      Array<Index, Host> chunk(Host{}, free_);
      next_ = chunk.data();
      std::lock_guard lock(target_.mutex_);
      target_.chunks_.push_back(std::move(chunk));
    }

    GrowingRows& target_;
    Index* next_ = nullptr;
    std::size_t free_ = 0;
  };

  Index count(Index r) const { return count_[r]; }

  Pattern<Host> pattern(Host const& space) const {
    auto const rows = row_.size();
    Pattern<Host> result{Array<Offset, Host>(space, rows + 1), {}};
    auto const total = core::exclusive_scan(space, count_.view(), result.offsets.span());
    result.column = Array<Index, Host>(space, total);
    core::for_each(space, rows, [&](Index r) {
      std::copy_n(row_[r], count_[r], result.column.data() + result.offsets[r]);
    });
    return result;
  }

 private:
  Array<Index*, Host> row_;
  Array<Index, Host> count_;
  std::mutex mutex_;
  std::vector<Array<Index, Host>> chunks_;
};

}  // namespace Tessera::fsai

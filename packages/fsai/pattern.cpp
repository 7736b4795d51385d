#include <algorithm>
#include <vector>

#include "fsai/growing_rows_host.hpp"
#include "fsai/pattern_body.hpp"
#include "sparse/engine/column_table_host.hpp"
#include "sparse/engine/row_blocks_host.hpp"

namespace Tessera::fsai {
namespace {

/// Columns go where as many are smaller: no branch, all columns of a register at once.
template <int Padded>
void rank_columns(std::vector<Index> const& found, Index* sorted) {
  alignas(64) Index mine[Padded], rank[Padded];
  auto const count = static_cast<int>(found.size());
  for (int i = 0; i < Padded; ++i) {
    mine[i] = i < count ? found[i] : 0x7fffffff;
    rank[i] = 0;
  }
  for (int k = 0; k < count; ++k) {
    Index const c = found[k];
    for (int i = 0; i < Padded; ++i) rank[i] += c < mine[i] ? 1 : 0;
  }
  for (int i = 0; i < count; ++i) sorted[rank[i]] = found[i];
}

/// Writes the distinct columns in ascending order.
void sort_columns(std::vector<Index>& found, Index* sorted) {
  auto const count = found.size();
  if (count <= 16) return rank_columns<16>(found, sorted);
  if (count <= 32) return rank_columns<32>(found, sorted);
  if (count <= 64) return rank_columns<64>(found, sorted);
  std::sort(found.begin(), found.end());
  std::copy(found.begin(), found.end(), sorted);
}

/// What a search has reached, where a table of all columns would be too large: an open hash table that grows
/// with the row.
class HashedReach {
 public:
  explicit HashedReach(Index /*columns*/) : slot_(64) {}
  void start(Index /*i*/) {
    std::fill(slot_.begin(), slot_.end(), Index{-1});
    count_ = 0;
  }
  bool insert(Index c) {
    if (2 * ++count_ > slot_.size()) grow();
    if (put(c)) return true;
    --count_;
    return false;
  }

 private:
  bool put(Index c) {
    auto const mask = static_cast<std::uint32_t>(slot_.size() - 1);
    auto s = sparse::hash::slot_of(c, mask);
    for (; slot_[s] != -1; s = (s + 1) & mask) {
      if (slot_[s] == c) return false;
    }
    slot_[s] = c;
    return true;
  }
  void grow() {
    auto const old = slot_;
    slot_.assign(2 * old.size(), Index{-1});
    for (auto const c : old) {
      if (c != -1) put(c);
    }
  }
  std::vector<Index> slot_;
  std::size_t count_ = 0;
};

/// The same as a mark for each column.
class DenseReach {
 public:
  explicit DenseReach(Index columns) : columns_(columns) {}
  void start(Index i) { columns_.start(i, 0); }
  bool insert(Index c) { return columns_.insert(c); }

 private:
  sparse::hash::DenseColumns columns_;
};

/// One thread's breadth-first searches.
template <class Reach>
class Searches {
 public:
  Searches(PatternView filtered, Parameters const& parameters)
      : filtered_(filtered), level_(parameters.pattern_level), reach_(filtered.rows) {}

  /// The columns of row i, in the order in which they are met; stops when there are more than `most`.
  std::vector<Index>& search(Index i, std::size_t most) {
    reach_.start(i);
    reach_.insert(i);
    found_.assign(1, i);
    std::size_t from = 0;
    for (int step = 0; step < level_; ++step) {
      for (auto const to = found_.size(); from < to; ++from) {
        auto const v = found_[from];
        for (Offset k = filtered_.offsets[v]; k < filtered_.offsets[v + 1]; ++k) {
          auto const c = filtered_.column[k];
          if (c > i) break;  // columns ascend
          if (reach_.insert(c)) found_.push_back(c);
        }
        if (found_.size() > most) return found_;
      }
    }
    return found_;
  }

 private:
  PatternView filtered_;
  int level_;
  Reach reach_;
  std::vector<Index> found_;
};

template <class Reach>
Pattern<Host> search_all(Host const& space, PatternView filtered, OwnRows const& own,
                         Parameters const& parameters) {
  struct Worker {
    OwnRows own;
    std::size_t most;
    Searches<Reach> searches;
    GrowingRows::Writer writer;
    void operator()(Index begin, Index end) {
      for (Index r = begin; r < end; ++r) {
        auto& found = searches.search(own(r), most);
        sort_columns(found, writer.add(r, static_cast<Index>(found.size())));
      }
    }
  };
  auto const rows = filtered.rows - own.others;
  auto const most = static_cast<std::size_t>(parameters.max_row_size);
  GrowingRows found(rows);
  sparse::for_row_blocks(rows, [&] {
    return Worker{own, most, Searches<Reach>(filtered, parameters), GrowingRows::Writer(found)};
  });
  for (Index r = 0; r < rows; ++r) {
    if (found.count(r) <= parameters.max_row_size) continue;
    auto const all = Searches<Reach>(filtered, parameters).search(own(r), filtered.rows).size();
    throw RowTooLong(r, static_cast<Offset>(all), parameters);
  }
  return found.pattern(space);
}

}  // namespace

RowTooLong::RowTooLong(Index owned_row, Offset entries, Parameters const& parameters)
    : core::InvalidInput(core::message("row ", owned_row, " of the pattern has ", entries,
                                       " entries, more than ", parameters.max_row_size)),
      row(owned_row),
      size(entries) {}

template Pattern<Host> prefiltered(Host const&, LowerRows const&, double);

template <>
Pattern<Host> static_pattern(Host const& space, PatternView filtered, OwnRows const& own,
                             Parameters const& parameters) {
  return sparse::hash::dense_tables(filtered.rows)
             ? search_all<DenseReach>(space, filtered, own, parameters)
             : search_all<HashedReach>(space, filtered, own, parameters);
}

}  // namespace Tessera::fsai

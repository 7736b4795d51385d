#pragma once
/// \file
/// Places of the products of C = A B on CUDA, and new values of C with them.
#include <algorithm>

#include "core/shared_memory.cuh"
#include "sparse/engine/row_reduce.hpp"
#include "sparse/entry_places.hpp"
#include "sparse/placed_sums_cuda.cuh"

namespace Tessera::sparse {
namespace detail {

/// launch(lanes, rows, threads, memory, blocks) for the usual rows and for the long ones. of_entry, of_lane:
/// bytes of shared memory for an entry of C's row and for a lane. length: of a row of B, on average.
template <class Launch>
void with_placed_rows(EntryPlaces<Cuda> const& places, Index rows, double length, std::size_t of_entry,
                      std::size_t of_lane, Launch const& launch) {
  auto const take = [&](auto lanes_constant, Index count, Index const* list, int most) {
    constexpr int lanes = decltype(lanes_constant)::value;
    if (count == 0) return;
    // Neighbouring groups begin in different banks.
    int const stride = (most + 15) / 16 * 16 + lanes % 16;
    std::size_t const group = of_lane * lanes + of_entry * stride;
    int groups = PlacesLaunch::threads / lanes;
    while (groups * lanes > 32 && group * groups > PlacesLaunch::memory) groups /= 2;
    launch(lanes_constant, PlacedRows{count, list, most, stride}, groups * lanes, group * groups,
           (static_cast<unsigned>(count) + groups - 1) / groups);
  };
  auto const take_all = [&](auto lanes) {
    take(lanes, rows, nullptr, places.usual);
    bool const small = 32 / lanes * (of_lane * lanes + of_entry * places.longest) <= PlacesLaunch::memory;
    auto const count = static_cast<Index>(places.long_rows.size());
    if (small) return take(lanes, count, places.long_rows.data(), places.longest);
    take(std::integral_constant<int, 32>{}, count, places.long_rows.data(), places.longest);
  };
  if (length <= 5) return take_all(std::integral_constant<int, 4>{});
  if (length <= 10) return take_all(std::integral_constant<int, 8>{});
  if (length <= 20) return take_all(std::integral_constant<int, 16>{});
  take_all(std::integral_constant<int, 32>{});
}

struct LengthOfRow {
  Offset const* offsets;
  TESSERA_HD Offset operator()(Index i) const { return offsets[i + 1] - offsets[i]; }
};

struct LongRow {
  Offset const* offsets;
  Offset usual;
  TESSERA_HD bool operator()(Index i) const { return offsets[i + 1] - offsets[i] > usual; }
};

/// What an entry of A multiplies: the length of a row of B.
struct RowLengths {
  Offset const* offsets;
  template <class T>
  TESSERA_HD Offset term(Index, Offset, T, Index c) const {
    return offsets[c + 1] - offsets[c];
  }
};

/// Places of a chunk of rows, in which all rows have room for the most products that one has.
struct ChunkPlacesBody {
  Offset const* products;
  Index rows;
  int chunk;
  Offset* count;
  TESSERA_HD void operator()(Index c) const {
    Offset widest = 0;
    for (Index i = c * chunk; i < (c + 1) * chunk && i < rows; ++i)
      widest = products[i] > widest ? products[i] : widest;
    count[c] = widest * chunk;
  }
};

inline double average_row(Index rows, std::size_t entries) {
  return rows == 0 ? 0.0 : static_cast<double>(entries) / rows;
}

/// Whether a thread is to take a row: many rows of few products (level 0 of Laplace3D 256^3: 2.5 ms, by
/// groups 2.5 to 3.3).
template <class T>
bool by_lane_rows(EntryPlaces<Cuda> const& places, CsrView<T> const& A, CsrView<T> const& B) {
  constexpr Index many = 1 << 17;
  constexpr int longest = 40;
  constexpr double row_of_A = 10, row_of_B = 6;
  return A.rows >= many && places.longest <= longest && average_row(A.rows, A.column.size()) <= row_of_A &&
         average_row(B.rows, B.column.size()) <= row_of_B;
}

}  // namespace detail

/// Of C = A B, whose columns ascend.
template <class T>
EntryPlaces<Cuda> places_of(Cuda const& space, CsrView<T> A, CsrView<T> B, CsrView<T> C) {
  EntryPlaces<Cuda> places;
  auto const rows = static_cast<std::size_t>(A.rows);
  auto const longest =
      core::reduce(space, rows, detail::LengthOfRow{C.offsets.data()}, core::Max{}, Offset{0});
  if (longest > detail::PlacesLaunch::most) return places;
  auto const twice = static_cast<Offset>(2 * detail::average_row(A.rows, C.column.size()));
  auto const usual = std::min(longest, std::max<Offset>(8, twice));
  places.entries = C.column.size();
  places.longest = static_cast<int>(longest);
  places.usual = static_cast<int>(usual);
  if (longest > usual) {
    Array<Index, Cuda> found(space, rows);
    auto const count = core::select(space, rows, detail::LongRow{C.offsets.data(), usual}, found.span());
    places.long_rows = core::copied(space, found.view().part(0, count), space);
  }
  places.chunk = detail::by_lane_rows(places, A, B) ? detail::PlacesLaunch::chunk : 1;
  auto const chunks = (rows + places.chunk - 1) / places.chunk;
  places.first = Array<Offset, Cuda>(space, chunks + 1);
  Array<Offset, Cuda> products(space, rows);
  row_reduce(space, A, detail::RowLengths{B.offsets.data()}, StoreProduct<Offset>{products.data()});
  core::for_each(space, chunks,
                 detail::ChunkPlacesBody{products.data(), A.rows, places.chunk, places.first.data()});
  auto const room = static_cast<std::size_t>(
      core::exclusive_scan(space, places.first.span().part(0, chunks), places.first.span()));
  auto const find = [&](auto& array) {
    using Place = std::remove_reference_t<decltype(*array.data())>;
    array = Array<Place, Cuda>(space, room);
    detail::with_placed_rows(
        places, A.rows, detail::average_row(B.rows, B.column.size()), sizeof(Index), 0,
        [&](auto lanes, detail::PlacedRows const& list, int threads, std::size_t memory, unsigned blocks) {
          auto const kernel = detail::find_places_kernel<decltype(lanes)::value, T, Place>;
          core::allow_shared_memory(kernel, memory);
          kernel<<<blocks, threads, memory, space.stream>>>(A, B, C, places.first.data(), array.data(),
                                                            places.chunk, list);
          TESSERA_CUDA_CHECK(cudaGetLastError());
        });
  };
  if (longest <= 256) {
    find(places.narrow);
  } else {
    find(places.wide);
  }
  return places;
}

/// The values of C = A B from those of A and B; B's columns are not read.
template <class T>
void sum_placed(Cuda const& space, CsrView<T> A, CsrView<T> B, EntryPlaces<Cuda> const& places,
                Offset const* offsets, T* value) {
  if (places.chunk > 1) {
    constexpr int threads = detail::PlacesLaunch::lane_rows;
    auto const memory = sizeof(T) * threads * places.longest;
    detail::sum_placed_lane_rows_kernel<<<(static_cast<unsigned>(A.rows) + threads - 1) / threads, threads,
                                          memory, space.stream>>>(A, B, offsets, value, places.first.data(),
                                                                  places.narrow.data());
    TESSERA_CUDA_CHECK(cudaGetLastError());
    return;
  }
  auto const sum = [&](auto const& array) {
    using Place = std::remove_const_t<std::remove_reference_t<decltype(*array.data())>>;
    detail::with_placed_rows(
        places, A.rows, detail::average_row(B.rows, B.value.size()), sizeof(T),
        sizeof(detail::PlacedEntry<T>),
        [&](auto lanes, detail::PlacedRows const& list, int threads, std::size_t memory, unsigned blocks) {
          auto const kernel = detail::sum_placed_kernel<decltype(lanes)::value, T, Place>;
          core::allow_shared_memory(kernel, memory);
          kernel<<<blocks, threads, memory, space.stream>>>(A, B, offsets, value, places.first.data(),
                                                            array.data(), list);
          TESSERA_CUDA_CHECK(cudaGetLastError());
        });
  };
  if (places.wide.empty()) {
    sum(places.narrow);
  } else {
    sum(places.wide);
  }
}

}  // namespace Tessera::sparse

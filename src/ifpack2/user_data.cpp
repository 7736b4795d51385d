#include "ifpack2/user_data.hpp"

#include <Teuchos_LAPACK.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>
#include <utility>

#include "comm/communicator.hpp"
#include "comm/from_local.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "galerkin/rigid_body_modes.hpp"
#include "parameters/messages.hpp"
#include "sparse/columns.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::ifpack2 {

namespace {

/// Whether K is symmetric up to rounding.
bool symmetric(double const* K, int n) {
  double largest = 0, difference = 0;
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      largest = std::max(largest, std::fabs(K[a * n + b]));
      difference = std::max(difference, std::fabs(K[a * n + b] - K[b * n + a]));
    }
  }
  return difference <= 1e-10 * largest;
}

/// Inverts K in place. Returns false if K is not positive definite.
bool invert(double* K, int n) {
  if (n == 1) {  // the usual case; LAPACK's calls would take longer than a setup on a GPU
    bool const positive = K[0] > 0;
    K[0] = 1 / K[0];
    return positive && std::isfinite(K[0]);
  }
  Teuchos::LAPACK<int, double> const lapack;
  int info = 0;
  lapack.POTRF('L', n, K, n, &info);
  if (info != 0) return false;
  lapack.POTRI('L', n, K, n, &info);
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) K[b * n + a] = K[a * n + b];
  }
  return info == 0 && std::all_of(K, K + n * n, [](double k) { return std::isfinite(k); });
}

/// Replaces each node's material by its inverse. values: nodes x measures, row-major, all finite. measures:
/// 1, or dimension^2 for tensors, of which the half below the diagonal is read. nodes: ids of rows, for
/// messages. Collective. \throws core::InvalidInput, on every rank, where a material is not symmetric
/// positive definite
void invert_materials(comm::Communicator const& comm, std::vector<double>& values, int measures,
                      tpetra::Map const& nodes) {
  auto const n = static_cast<int>(std::lround(std::sqrt(measures)));
  comm::agree_on_errors(comm, [&] {
    for (std::size_t node = 0; node < values.size() / measures; ++node) {
      double* const K = values.data() + node * measures;
      auto const named = [&] { return nodes.getGlobalElement(static_cast<tpetra::LocalOrdinal>(node)); };
      TESSERA_VALIDATE(
          symmetric(K, n), "the material of node ", named(),
          " is no symmetric tensor (the distance between two nodes would depend on the direction); give the "
          "conductivity tensor row by row");
      TESSERA_VALIDATE(invert(K, n), "the material of node ", named(),
                       " is not positive definite (distances are divided by it); give a conductivity "
                       "that is positive in all directions");
    }
  });
}

}  // namespace

void require_whole_nodes(comm::Distribution const& rows, int equations) {
  auto const& comm = rows.comm();
  comm::agree_on_errors(comm, [&] {
    TESSERA_VALIDATE(rows.local_size() % equations == 0, "rank ", comm.rank(), " has ", rows.local_size(),
                     " rows, which are not whole nodes of `number of equations` = ", equations,
                     " rows each; distribute the matrix by nodes, or correct the number");
  });
}

std::vector<double> largest_of_columns(Backend const& backend, tpetra::MultiVector const& X) {
  return std::visit(
      [&](auto const& on) {
        using Here = std::conditional_t<tpetra::vectors_on_device, std::decay_t<decltype(on)>, Host>;
        tpetra::ReadColumnsOn<Here> const columns(X);
        std::vector<double> largest;
        for (std::size_t c = 0; c < columns.size(); ++c) {
          if constexpr (std::is_same_v<Here, Host>) {
            largest.push_back(comm::largest_magnitude(Host{}, columns[c]));
          } else {
            largest.push_back(comm::largest_magnitude(on, columns[c]));
          }
        }
        return largest;
      },
      backend.space);
}

void require_range_of_float(double largest) {
  TESSERA_VALIDATE(
      largest == 0 || (largest > 1e-25 && largest < 1e25) || !std::isfinite(largest),
      "the largest entry of the matrix is ", largest,
      ", too far from 1 for a preconditioner in float; set `precision: hierarchy` to double, or scale "
      "the system");
}

double scale_for_float(double entry, double matrix) {
  constexpr double range = 1e30;
  auto const fits = [](double value) { return value > 1 / range && value < range; };
  if (entry == 0 || !std::isfinite(entry) || (fits(entry) && fits(entry / matrix))) return 1;
  constexpr int most = 1000;  // so that its inverse is finite
  return std::ldexp(1.0, std::clamp(std::ilogb(entry), -most, most));
}

namespace {

MultiVectorPointer pointer(Teuchos::ParameterEntry const& entry, std::string const& where) {
  entry.getAny(true);
  if (entry.isType<MultiVectorPointer>()) return Teuchos::getValue<MultiVectorPointer>(entry);
  using Changeable = Teuchos::RCP<tpetra::MultiVector>;
  if (entry.isType<Changeable>()) return Teuchos::getValue<Changeable>(entry);
  throw core::InvalidInput(where + " has type " + entry.getAny(false).typeName() +
                           "; it must be a Teuchos::RCP to a Tpetra::MultiVector<double>, const or not");
}

/// Throws, with the first value of a row that is not finite.
[[noreturn]] void refuse(tpetra::MultiVector const& X, std::vector<double> const& values, std::size_t row,
                         char const* what) {
  std::size_t column = 0;
  while (std::isfinite(values[row * X.getNumVectors() + column])) ++column;
  throw core::InvalidInput(core::message(what, " holds ", values[row * X.getNumVectors() + column],
                                         " in row ",
                                         X.getMap()->getGlobalElement(static_cast<tpetra::LocalOrdinal>(row)),
                                         ", column ", column, "; all of it must be finite"));
}

/// Converts to rows x columns, row-major. Throws on every rank if a length is wrong or a value is not finite.
std::vector<double> row_major(comm::Communicator const& comm, tpetra::MultiVector const& X, std::size_t rows,
                              char const* what, char const* unit) {
  std::vector<double> result;
  comm::agree_on_errors(comm, [&] {
    tpetra::ReadColumns const columns(X);
    TESSERA_VALIDATE(X.getLocalLength() == rows, what, " has ", X.getLocalLength(), " rows on rank ",
                     comm.rank(), ", where the matrix has ", rows, " ", unit,
                     "; distribute it as the matrix");
    result.resize(rows * columns.size());
    auto const copy = [&](Index row) -> Index {  // distance from the end if a value is not finite
      bool finite = true;
      for (std::size_t column = 0; column < columns.size(); ++column) {
        double const value = columns[column][row];
        finite = finite && std::isfinite(value);
        result[row * columns.size() + column] = value;
      }
      return finite ? 0 : static_cast<Index>(rows) - row;
    };
    auto const found = core::reduce(Host{}, rows, copy, core::Max{}, Index{0});
    if (found != 0) refuse(X, result, rows - found, what);
  });
  return result;
}

/// A checked multivector for a setup on a space, which reads it in place or as rows on the host.
struct Vectors {
  bool in_place = false;
  std::vector<double> row_major;
  std::vector<double> largest;  ///< magnitude of each column in place on this rank
};

/// Leaves no view in place: Tpetra refuses a view on the host while one of the device is alive, also one of
/// another multivector in the same memory. \throws as row_major()
template <class Space>
Vectors vectors_on([[maybe_unused]] Space const& space, comm::Communicator const& comm,
                   tpetra::MultiVector const& X, std::size_t rows, char const* what, char const* unit) {
  Vectors found;
  if constexpr (std::is_same_v<Space, Host> != tpetra::vectors_on_device) {
    bool fits = X.getLocalLength() == rows;
    comm::agree_on_errors(comm, [&] {
      tpetra::ReadColumnsOn<Space> const columns(X);
      for (std::size_t c = 0; c < columns.size(); ++c) {
        found.largest.push_back(comm::largest_magnitude(space, columns[c]));
        fits = fits && std::isfinite(found.largest.back());
      }
      found.in_place = !comm.any(!fits);
    });
    if (found.in_place) return found;
    found.largest.clear();
  }
  found.row_major = row_major(comm, X, rows, what, unit);
  return found;
}

/// Refuses zero columns, which coarse levels cannot reproduce.
void require_nonzero_columns(comm::Communicator const& comm, Vectors const& B, std::size_t columns,
                             std::size_t rows) {
  auto largest = B.largest;
  for (auto column = largest.size(); column < columns; ++column) {
    auto const magnitude = [&](Index row) { return std::fabs(B.row_major[row * columns + column]); };
    largest.push_back(core::reduce(Host{}, rows, magnitude, core::Max{}, 0.0));
  }
  largest.push_back(static_cast<double>(rows));
  comm.sum(largest);
  for (std::size_t column = 0; column < columns; ++column) {
    TESSERA_VALIDATE(largest[column] > 0 || largest.back() == 0, "the near-nullspace is zero in column ",
                     column,
                     " (coarse levels would have nothing to reproduce); leave that column out, or the ",
                     "near-nullspace, which is then made of constants");
  }
}

/// The inverses of conductivities.
std::vector<double> resistance(comm::Communicator const& comm, UserData const& data, std::size_t nodes) {
  auto const& material = *data.material;
  auto const measures = material.getNumVectors();
  auto const dimension = data.coordinates.is_null() ? 0 : data.coordinates->getNumVectors();
  comm::agree_on_errors(comm, [&] {
    TESSERA_VALIDATE(dimension > 0,
                     "materials are given without coordinates (they are for distances between nodes); give "
                     "the coordinates of the nodes, too");
    TESSERA_VALIDATE(measures == 1 || measures == dimension * dimension, "the multivector of materials has ",
                     measures, " columns, but coordinates have ", dimension,
                     " (a node's material is a number or a tensor); give 1 or ", dimension * dimension);
  });
  auto values = row_major(comm, material, nodes, "the multivector of materials", "nodes");
  invert_materials(comm, values, static_cast<int>(measures), *material.getMap());
  return values;
}

}  // namespace

UserData user_data(Teuchos::ParameterList const& list) {
  UserData data;
  if (!list.isSublist("user data")) return data;
  Teuchos::ParameterList const& given = list.sublist("user data");
  for (auto it = given.begin(); it != given.end(); ++it) {
    std::string const& name = given.name(it);
    std::string const where = given.name() + " -> \"" + name + "\"";
    if (name == "Nullspace") {
      data.nullspace = pointer(given.entry(it), where);
    } else if (name == "Coordinates") {
      data.coordinates = pointer(given.entry(it), where);
    } else if (name == "Material") {
      data.material = pointer(given.entry(it), where);
    } else {
      throw core::InvalidInput(where + " is not known here" +
                               parameters::hint(name, {"Nullspace", "Coordinates", "Material"}));
    }
  }
  return data;
}

template <class Space>
multigrid::NearNullspace near_nullspace(Space const& space, comm::Communicator const& comm,
                                        UserData const& data, std::size_t rows, int equations) {
  multigrid::NearNullspace result;
  auto const take = [&](tpetra::MultiVector const& X, Vectors& from, std::vector<double>& values,
                        std::vector<double const*>& columns) {
    values = std::move(from.row_major);
    if (!from.in_place) return;
    comm::agree_on_errors(comm, [&] {
      auto const view = std::make_shared<tpetra::ReadColumnsOn<Space>>(X);
      for (std::size_t c = 0; c < view->size(); ++c) columns.push_back((*view)[c].data());
      result.owners.push_back(view);
    });
  };
  Vectors coordinates, nullspace;
  auto const nodes = rows / equations;
  if (!data.material.is_null()) result.resistance = resistance(comm, data, nodes);
  if (!data.coordinates.is_null()) {
    result.dimension = static_cast<int>(data.coordinates->getNumVectors());
    coordinates =
        vectors_on(space, comm, *data.coordinates, nodes, "the multivector of coordinates", "nodes");
  }
  if (!data.nullspace.is_null()) {
    result.vectors = static_cast<int>(data.nullspace->getNumVectors());
    nullspace = vectors_on(space, comm, *data.nullspace, rows, "the near-nullspace", "rows");
    require_nonzero_columns(comm, nullspace, data.nullspace->getNumVectors(), rows);
  }
  // After all checks, see vectors_on().
  if (!data.coordinates.is_null())
    take(*data.coordinates, coordinates, result.coordinates, result.coordinate_columns);
  if (!data.nullspace.is_null()) {
    take(*data.nullspace, nullspace, result.values, result.value_columns);
  } else if (equations > 1 && equations <= 3 && result.dimension == equations) {
    auto const& axes = result.coordinate_columns;
    result.vectors = galerkin::rigid_body_mode_count(equations);
    result.rigid_body = axes.empty() ? galerkin::rigid_body_frame(comm, result.coordinates, equations)
                                     : galerkin::rigid_body_frame(
                                           comm, sparse::extremes(space, nodes, {axes.data(), axes.size()}));
  }
  return result;
}

template multigrid::NearNullspace near_nullspace(Host const&, comm::Communicator const&, UserData const&,
                                                 std::size_t, int);
#if defined(TESSERA_HAVE_CUDA)
template multigrid::NearNullspace near_nullspace(Cuda const&, comm::Communicator const&, UserData const&,
                                                 std::size_t, int);
#endif

}  // namespace Tessera::ifpack2

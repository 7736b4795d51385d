#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "cli/gathered.hpp"
#include "cli/measure.hpp"
#include "core/error.hpp"
#include "ifpack2/any_operator.hpp"
#include "tpetra/matrix_market.hpp"
#include "tpetra/output_file.hpp"
#include "tpetra/types.hpp"

namespace Tessera::cli {
namespace {

namespace fs = std::filesystem;
using ifpack2::AnyOperator;
using Path = fs::path;

void make_folder(std::string const& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return;
  fs::create_directory(folder, error);
  TESSERA_VALIDATE(!error, "--export ", folder, ": cannot be made (", error.message(),
                   "); check the path, its permissions and the room on its disk");
}

// Points with numbers, for ParaView.

/// An integer at each point.
struct PointNumbers {
  std::string name;
  std::vector<GlobalIndex> of_point;
};

/// Writes an array of number(i), i below count. Names hold no markup.
template <class Number>
void write_array(tpetra::OutputFile& file, char const* type, std::string const& attributes, std::size_t count,
                 Number const& number) {
  file.write(core::message("<DataArray type=\"", type, "\" ", attributes, " format=\"ascii\">\n"));
  std::size_t constexpr line = 60;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    char digits[32];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, number(i)).ptr);
    text += text.size() < line ? ' ' : '\n';
    if (text.back() == ' ') continue;
    file.write(text);
    text.clear();
  }
  file.write(text + "\n</DataArray>\n");
}

/// Writes a VTK unstructured grid (.vtu, XML with numbers as text) whose cells are the points.
/// coordinates: points x dimension, row-major; dimension: 1 to 3. On one rank.
/// \throws core::InvalidInput if the file cannot be written
void write_vtu(std::string const& path, std::vector<double> const& coordinates, int dimension,
               std::vector<PointNumbers> const& numbers) {
  int constexpr vertex = 1, axes = 3;  // VTK_VERTEX; VTK has no points of less
  auto const count = coordinates.size() / static_cast<std::size_t>(dimension);
  tpetra::OutputFile file(path);
  file.write(
      core::message("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                    "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"",
                    count, "\" NumberOfCells=\"", count, "\">\n<PointData>\n"));
  for (auto const& one : numbers)
    write_array(file, "Int64", "Name=\"" + one.name + "\"", count,
                [&](std::size_t i) { return one.of_point[i]; });
  file.write("</PointData>\n<Points>\n");
  write_array(file, "Float64", "Name=\"Points\" NumberOfComponents=\"3\"", axes * count, [&](std::size_t i) {
    auto const axis = static_cast<int>(i % axes);
    return axis < dimension ? coordinates[i / axes * dimension + axis] : 0.0;
  });
  file.write("</Points>\n<Cells>\n");
  write_array(file, "Int64", "Name=\"connectivity\"", count, [](std::size_t i) { return i; });
  write_array(file, "Int64", "Name=\"offsets\"", count, [](std::size_t i) { return i + 1; });
  write_array(file, "UInt8", "Name=\"types\"", count, [](std::size_t) { return vertex; });
  file.write("</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
  file.finish();
}

// The files of levels.

/// A hierarchy of a bootstrap: its levels among those of the report.
struct Component {
  std::string prefix;  ///< of the files' names
  std::size_t first = 0, levels = 0;
};

std::vector<Component> components_of(multigrid::HierarchyReport const& report) {
  if (report.components.empty()) return {{"", 0, report.levels.size()}};
  std::vector<Component> all;
  std::size_t first = 0;
  for (auto const& one : report.components) {
    all.push_back({core::message("component", all.size() + 1, "-"), first, one.levels});
    first += one.levels;
  }
  return all;
}

/// Row-major values of this rank as vectors on a map that numbers rows in rank order.
Teuchos::RCP<tpetra::MultiVector> as_vectors(LinearSystem const& system, std::vector<double> const& values,
                                             int columns) {
  auto const rows = values.size() / static_cast<std::size_t>(columns);
  auto const map = Teuchos::rcp(new tpetra::Map(Teuchos::OrdinalTraits<::Tpetra::global_size_t>::invalid(),
                                                rows, 0, system.data.matrix->getComm()));
  auto const X = Teuchos::rcp(new tpetra::MultiVector(map, static_cast<std::size_t>(columns)));
  for (int c = 0; c < columns; ++c) {
    auto const column = X->getDataNonConst(static_cast<std::size_t>(c));
    for (std::size_t i = 0; i < rows; ++i) column[i] = values[i * columns + c];
  }
  return X;
}

/// Counted from 1, as rows and columns of these files; 0: none.
std::vector<GlobalIndex> counted_from_one(std::vector<GlobalIndex> numbers) {
  for (auto& number : numbers) ++number;
  return numbers;
}

/// On rank 0: for each node of the finest level its aggregate on each level, and the size of the aggregate.
class Composed {
 public:
  explicit Composed(std::size_t nodes) : place_(nodes) {
    for (std::size_t v = 0; v < nodes; ++v) place_[v] = static_cast<GlobalIndex>(v);
  }
  /// aggregate: of each node of the next level.
  void add(std::string const& level, std::vector<GlobalIndex> const& aggregate) {
    std::vector<GlobalIndex> size(aggregate.size());  // there are no more aggregates than nodes
    for (auto& place : place_) {
      if (place >= 0) place = aggregate[place];
      if (place >= 0) ++size[place];
    }
    numbers.push_back({"aggregate " + level, counted_from_one(place_)});
    numbers.push_back({"size " + level, place_});
    for (auto& of_node : numbers.back().of_point) of_node = of_node < 0 ? 0 : size[of_node];
  }

  std::vector<PointNumbers> numbers;

 private:
  std::vector<GlobalIndex> place_;  ///< node of the present level; -1: none
};

class Export {
 public:
  Export(std::string const& folder, Details::Preconditioner const& M, LinearSystem const& system)
      : folder_(folder), M_(M), system_(system), ranks_(tpetra::communicator(system.comm())) {}

  std::string factors(fsai::Report const& report) {
    for (int k = 0; k < report.factors; ++k) {
      comm::HostMatrix G;
      comm::agree_on_errors(ranks_, [&] { G = placed().fetch_factor(k); });
      tpetra::write_matrix(path(core::message("G", k)), ranks_, G);
    }
    return "factors G (matrices) are in " + folder_.string() + "\n";
  }

  std::string levels(multigrid::HierarchyReport const& report) {
    auto const components = components_of(report);
    bool const drawn = !system_.data.coordinates.is_null();
    auto const points = drawn ? points_of(ranks_, *system_.data.coordinates) : Points();
    std::vector<PointNumbers> numbers;
    tpetra::write_dense(path(components.front().prefix + "B0"), *M_.nearNullspace());
    for (auto const& component : components) {
      Composed composed(points.count());
      for (std::size_t l = 0; l < component.levels; ++l) level(component, l, drawn ? &composed : nullptr);
      numbers.insert(numbers.end(), composed.numbers.begin(), composed.numbers.end());
    }
    if (drawn) write_points(points, std::move(numbers));
    return core::message(
        report.levels.size(), " levels are in ", folder_.string(),
        drawn ? ", for ParaView in levels.vtu there" : "; without coordinates there is no levels.vtu", "\n");
  }

 private:
  AnyOperator const& placed() const { return *M_.inPlace(); }
  std::string path(std::string const& name) const { return (folder_ / (name + ".mtx")).string(); }

  void level(Component const& component, std::size_t l, Composed* composed) {
    auto const named = [&](char const* what, std::size_t number) {
      return path(core::message(component.prefix, what, number));
    };
    {
      multigrid::LevelMatrices matrices;
      comm::agree_on_errors(ranks_,
                            [&] { matrices = placed().levels()->fetch_matrices(component.first + l); });
      tpetra::write_matrix(named("A", l), ranks_, matrices.A);
      if (matrices.P) tpetra::write_matrix(named("P", l), ranks_, *matrices.P);
      if (matrices.R) tpetra::write_matrix(named("R", l), ranks_, *matrices.R);
    }
    if (l + 1 == component.levels) return;
    multigrid::LevelAggregates found;
    comm::agree_on_errors(ranks_, [&] { found = placed().levels()->fetch_aggregates(component.first + l); });
    tpetra::write_integers(named("aggregates", l), ranks_, counted_from_one(found.aggregate));
    tpetra::write_dense(named("B", l + 1), *as_vectors(system_, found.coarse_nullspace, found.vectors));
    if (composed == nullptr) return;
    auto const all = gathered(ranks_, found.aggregate);
    if (ranks_.rank() == 0) composed->add(core::message(component.prefix, l), all);
  }

  void write_points(Points const& points, std::vector<PointNumbers> numbers) {
    auto const mine = system_.data.coordinates->getLocalLength();
    numbers.insert(numbers.begin(),
                   {"rank", gathered(ranks_, std::vector<GlobalIndex>(mine, ranks_.rank()))});
    comm::agree_on_errors(ranks_, [&] {
      if (ranks_.rank() != 0) return;
      write_vtu((folder_ / "levels.vtu").string(), points.coordinates, points.dimension, numbers);
    });
  }

  Path folder_;
  Details::Preconditioner const& M_;
  LinearSystem const& system_;
  comm::Communicator ranks_;
};

}  // namespace

void require_folder(std::string const& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) {
    make_folder(folder);
    fs::remove(folder, error);
    return;
  }
  TESSERA_VALIDATE(fs::is_directory(folder, error), "--export ", folder,
                   ": is a file; name a folder that is new or empty");
  TESSERA_VALIDATE(access(folder.c_str(), W_OK | X_OK) == 0, "--export ", folder, ": cannot be written in (",
                   std::strerror(errno), "); check its permissions");
  TESSERA_VALIDATE(fs::is_empty(folder, error), "--export ", folder,
                   ": is not empty, so files of other levels would mix with the new ones; name a folder "
                   "that is new or empty");
}

std::string export_levels(std::string const& folder, Details::Preconditioner const& M,
                          LinearSystem const& system) {
  comm::agree_on_errors(tpetra::communicator(system.comm()), [&] {
    if (system.comm().getRank() == 0) make_folder(folder);
  });
  Export to(folder, M, system);
  auto const* const report = M.inPlace()->hierarchy_report();
  return report != nullptr ? to.levels(*report) : to.factors(*M.inPlace()->fsai_report());
}

}  // namespace Tessera::cli

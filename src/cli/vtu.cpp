#include "cli/vtu.hpp"

#include <charconv>

#include "core/error.hpp"
#include "tpetra/output_file.hpp"

namespace Tessera::cli {
namespace {

/// One array, number(i) for each i below count; names hold no markup.
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

}  // namespace

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

}  // namespace Tessera::cli

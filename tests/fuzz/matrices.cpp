// Small Matrix Market files with changed numbers, words, lines and bytes.
#include <cmath>
#include <sstream>

#include "driver.hpp"

namespace Tessera::fuzz {
namespace {

struct Entry {
  int row, column;
  double value;
};

/// A matrix on a grid with couplings 1 and `strong`; `of_node` unknowns a point.
std::vector<Entry> grid(int nx, int ny, double strong, int of_node) {
  std::vector<Entry> entries;
  auto const couple = [&](int p, int q, double value) {
    for (int e = 0; e < of_node; ++e) {
      entries.push_back({p * of_node + e, q * of_node + e, -value});
      if (p != q) entries.push_back({q * of_node + e, p * of_node + e, -value});
    }
  };
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      int const p = j * nx + i;
      couple(p, p, -2 * (1 + strong));
      if (i + 1 < nx) couple(p, p + 1, strong);
      if (j + 1 < ny) couple(p, p + nx, 1);
    }
  }
  return entries;
}

std::string matrix(Random& random, int nx, int ny, int of_node) {
  static std::vector<std::string> const fields{"real", "real", "real", "integer", "pattern"},
      symmetries{"general", "symmetric"};
  auto const &field = random.pick(fields), &symmetry = random.pick(symmetries);
  static std::vector<double> const strengths{1, 1, 1000, 1e-3, -1, 1e10};
  double const scale = random.one_in(6) ? std::pow(10.0, static_cast<double>(random.below(80)) - 40) : 1;
  std::vector<Entry> entries;
  for (auto const& one : grid(nx, ny, random.pick(strengths), of_node)) {
    if (symmetry == "general" || one.row >= one.column) entries.push_back(one);
  }
  std::ostringstream out;
  out << "%%MatrixMarket matrix coordinate " << field << " " << symmetry << "\n% a comment\n"
      << nx * ny * of_node << " " << nx * ny * of_node << " " << entries.size() << "\n";
  for (auto const& one : entries) {
    out << one.row + 1 << " " << one.column + 1;
    if (field == "integer") out << " " << static_cast<long>(one.value);
    if (field == "real") out << " " << one.value * scale;
    out << "\n";
  }
  return out.str();
}

std::string dense(Random& random, int rows, int columns) {
  std::ostringstream out;
  bool const array = !random.one_in(3);
  out << "%%MatrixMarket matrix " << (array ? "array" : "coordinate") << " real general\n"
      << rows << " " << columns;
  if (!array) out << " " << rows * columns;
  out << "\n";
  for (int c = 0; c < columns; ++c) {
    for (int i = 0; i < rows; ++i) {
      if (!array) out << i + 1 << " " << c + 1 << " ";
      out << (c == 0 && columns > 1 ? 1.0 : static_cast<double>(random.below(2001)) / 1000 - 1) << "\n";
    }
  }
  return out.str();
}

std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Replaces one word of a line.
std::string with_word_changed(std::string const& line, Random& random) {
  static std::vector<std::string> const words{
      "real",  "complex",    "pattern", "integer", "symmetric", "hermitian",     "skew-symmetric",
      "array", "coordinate", "matrix",  "vector",  "%",         "%%MatrixMarket"};
  std::istringstream in(line);
  std::vector<std::string> parts;
  for (std::string part; in >> part;) parts.push_back(part);
  if (parts.empty()) return number(random);
  parts[random.below(parts.size())] = random.one_in(8) ? random.pick(words) : number(random);
  if (random.one_in(10)) parts.push_back(number(random));
  std::string result;
  for (auto const& part : parts) result += (result.empty() ? "" : " ") + part;
  return result;
}

std::string mutated(std::string const& text, Random& random) {
  if (random.one_in(3)) return with_bytes_mutated(text, random);
  auto lines = lines_of(text);
  if (lines.empty()) return number(random);
  std::size_t const at =
      random.one_in(3) ? random.below(std::min<std::size_t>(4, lines.size())) : random.below(lines.size());
  switch (random.below(6)) {
    case 0:
      lines.erase(lines.begin() + static_cast<long>(at));
      break;
    case 1:
      lines.insert(lines.begin() + static_cast<long>(random.below(lines.size())), lines[at]);
      break;
    case 2:
      std::swap(lines[at], lines[random.below(lines.size())]);
      break;
    default:
      lines[at] = with_word_changed(lines[at], random);
  }
  std::string result;
  for (auto const& line : lines) result += line + "\n";
  return result;
}

std::string list(Random& random) {
  static std::vector<std::string> const solvers{"Pseudo Block CG", "TESSERA CG", "TESSERA FLEXIBLE CG",
                                                "Block GMRES", "MINRES"};
  static std::vector<std::string> const own{
      "",
      "<Parameter name=\"coarse: max size\" type=\"int\" value=\"8\"/>",
      "<Parameter name=\"coarse: max size\" type=\"int\" value=\"8\"/><Parameter name=\"precision: "
      "hierarchy\" type=\"string\" value=\"double\"/>",
      "<Parameter name=\"multigrid algorithm\" type=\"string\" value=\"fsai\"/>",
      "<Parameter name=\"coarse: max size\" type=\"int\" value=\"8\"/><Parameter name=\"smoother: type\" "
      "type=\"string\" value=\"FSAI\"/>",
      "<Parameter name=\"multigrid algorithm\" type=\"string\" value=\"fsai\"/><Parameter name=\"fsai: "
      "adaptive steps\" type=\"int\" value=\"3\"/>",
      "<Parameter name=\"coarse: max size\" type=\"int\" value=\"8\"/><Parameter name=\"aggregation: drop "
      "scheme\" type=\"string\" value=\"signed classical\"/>"};
  auto const solver = random.pick(solvers);
  std::string const type = random.one_in(8) ? "None" : "Tessera";
  return "<ParameterList><Parameter name=\"Preconditioner Type\" type=\"string\" value=\"" + type +
         "\"/><ParameterList name=\"Linear Solver Types\"><ParameterList name=\"Belos\"><Parameter "
         "name=\"Solver Type\" type=\"string\" value=\"" +
         solver +
         "\"/></ParameterList></ParameterList><ParameterList name=\"Preconditioner Types\"><ParameterList "
         "name=\"Tessera\">" +
         random.pick(own) + "</ParameterList></ParameterList></ParameterList>\n";
}

Case make(Random& random) {
  int const nx = 1 + static_cast<int>(random.below(8)), ny = 1 + static_cast<int>(random.below(8));
  int const of_node = 1 + static_cast<int>(random.below(3)), rows = nx * ny * of_node;
  Case one;
  std::vector<std::string> solve{"solve",     "--matrix", "@A.mtx",           "--xml",
                                 "@list.xml", "--quiet",  "--max-iterations", "60"};
  auto const give = [&](char const* option, char const* name, std::string const& text) {
    one.files[name] = text;
    solve.insert(solve.end(), {option, "@" + std::string(name)});
  };
  one.files["list.xml"] = list(random);
  one.files["A.mtx"] = matrix(random, nx, ny, of_node);
  if (random.one_in(2)) give("--rhs", "b.mtx", dense(random, rows, 1));
  if (random.one_in(3))
    give("--nullspace", "B.mtx", dense(random, rows, of_node + static_cast<int>(random.below(4))));
  if (random.one_in(3))
    give("--coordinates", "X.mtx", dense(random, nx * ny, 1 + static_cast<int>(random.below(3))));
  if (random.one_in(2)) solve.insert(solve.end(), {"--equations", std::to_string(of_node)});
  for (auto& file : one.files) {
    if (file.first == "list.xml" || random.one_in(3)) continue;
    for (std::size_t count = 1 + random.below(3); count > 0; --count)
      file.second = mutated(file.second, random);
  }
  one.runs = {solve};
  return one;
}

}  // namespace
}  // namespace Tessera::fuzz

int main(int argc, char** argv) {
  return Tessera::fuzz::drive(argc, argv, Tessera::fuzz::make);
}

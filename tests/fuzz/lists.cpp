// Presets with entries dropped, doubled, moved, renamed, or with other types, values or bytes; lists of
// MueLu's factories in YAML with lines dropped, doubled, moved or joined, or with other bytes.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "driver.hpp"
#include "settings/table.hpp"
#include "xml_tree.hpp"

namespace Tessera::fuzz {
namespace {

/// The files of a folder.
std::vector<std::string> texts_in(char const* folder) {
  std::vector<std::filesystem::path> paths;
  for (auto const& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> all;
  for (auto const& path : paths) {
    std::ifstream in(path);
    all.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return all;
}

std::vector<std::string> const& seeds() {
  static auto const texts = texts_in(TESSERA_XML);
  return texts;
}

std::vector<std::string> const solvers{"Pseudo Block CG",
                                       "Block CG",
                                       "Pseudo Block GMRES",
                                       "Block GMRES",
                                       "Flexible GMRES",
                                       "TESSERA CG",
                                       "TESSERA FLEXIBLE CG",
                                       "MINRES",
                                       "GCRODR",
                                       "RCG",
                                       "TFQMR",
                                       "Pseudo Block TFQMR",
                                       "BICGSTAB",
                                       "LSQR",
                                       "PCPG",
                                       "Fixed Point",
                                       "Stochastic CG",
                                       "GmresPoly",
                                       "Hybrid Block GMRES",
                                       "Seed CG",
                                       "no solver"};

Node entry(std::string const& name, std::string const& type, std::string const& value) {
  return {"Parameter", {{"name", name}, {"type", type}, {"value", value}}, {}, {}};
}

Node belos_entry(Random& random) {
  static std::vector<std::pair<std::string, std::string>> const known{
      {"Convergence Tolerance", "double"},
      {"Maximum Iterations", "int"},
      {"Maximum Replacements", "int"},
      {"stopping: test", "string"},
      {"stopping: absolute tolerance", "double"},
      {"Project Nullspace", "bool"},
      {"Num Blocks", "int"},
      {"Block Size", "int"},
      {"Maximum Restarts", "int"},
      {"Adaptive Block Size", "bool"},
      {"Flexible Gmres", "bool"},
      {"Orthogonalization", "string"},
      {"Orthogonalization Constant", "double"},
      {"Implicit Residual Scaling", "string"},
      {"Explicit Residual Scaling", "string"},
      {"Deflation Quorum", "int"},
      {"Verbosity", "int"},
      {"Output Style", "int"},
      {"Output Frequency", "int"},
      {"Show Maximum Residual Norm Only", "bool"},
      {"Num Recycled Blocks", "int"},
      {"Num Deflated Blocks", "int"},
      {"Assert Positive Definiteness", "bool"},
      {"Use Single Reduction", "bool"},
      {"Estimate Condition Number", "bool"},
      {"Fold Convergence Detection Into Allreduce", "bool"},
      {"Timer Label", "string"},
      {"Condition Limit", "double"},
      {"Lambda", "double"},
      {"Polynomial Tolerance", "double"},
      {"Maximum Degree", "int"},
      {"Outer Solver", "string"},
      {"Explicit Residual Test", "bool"}};
  static std::vector<std::string> const words{"Norm of RHS",
                                              "Norm of Initial Residual",
                                              "None",
                                              "ICGS",
                                              "DGKS",
                                              "IMGS",
                                              "Norm of Preconditioned Initial Residual",
                                              "Belos",
                                              "",
                                              "TSQR",
                                              "absolute",
                                              "either",
                                              "row-wise"};
  auto const& [name, type] = random.pick(known);
  auto const value = type == "string" ? random.pick(words)
                     : type == "bool" ? std::string(random.one_in(2) ? "true" : "false")
                                      : number(random);
  return entry(name, type, value);
}

/// A parameter of Tessera, mostly with an allowed value.
Node own_entry(Random& random) {
  using settings::Kind;
  auto const& row = random.pick(settings::table());
  std::string value;
  bool const odd = random.one_in(6);
  double const top = std::min(row.highest, row.lowest + (random.one_in(4) ? 1e4 : 12));
  if (row.kind == Kind::list)
    return {"ParameterList", {{"name", row.name}}, {entry("relaxation: sweeps", "int", number(random))}, {}};
  if (row.kind == Kind::choice) {
    value = random.pick(row.choices);
  } else if (row.kind == Kind::boolean) {
    value = random.one_in(2) ? "true" : "false";
  } else if (odd) {
    value = number(random);
  } else if (row.kind == Kind::integer) {
    value =
        std::to_string(static_cast<long long>(row.lowest) +
                       static_cast<long long>(random.below(static_cast<std::size_t>(top - row.lowest) + 1)));
  } else {
    value = std::to_string(row.lowest + (std::min(top, row.lowest + 2) - row.lowest) *
                                            static_cast<double>(random.below(1001)) / 1000);
  }
  auto const name = !row.aliases.empty() && random.one_in(4) ? random.pick(row.aliases).name : row.name;
  return entry(name, settings::type_name(row.kind), value);
}

std::string any_name(Random& random) {
  static std::vector<std::string> const names = [] {
    std::vector<std::string> all{"Stratimikos",
                                 "Linear Solver Type",
                                 "Preconditioner Type",
                                 "Linear Solver Types",
                                 "Preconditioner Types",
                                 "Belos",
                                 "Solver Type",
                                 "Solver Types",
                                 "VerboseObject",
                                 "Tessera",
                                 "ML",
                                 "MueLu",
                                 "Ifpack2",
                                 "None",
                                 "ML Settings",
                                 "Ifpack2 Settings",
                                 "Prec Type",
                                 "Overlap",
                                 "Validators",
                                 "Dependencies",
                                 "user data",
                                 "Nullspace",
                                 "",
                                 std::string(300, 'n'),
                                 "Left Preconditioner If Unspecified"};
    for (auto const& row : settings::table()) all.push_back(row.name);
    for (auto const& list : settings::sublists()) all.push_back(list.first);
    all.insert(all.end(), solvers.begin(), solvers.end());
    return all;
  }();
  return random.pick(names);
}

void set(Node& node, std::string const& attribute, std::string const& value) {
  for (auto& one : node.attributes) {
    if (one.first == attribute) one.second = value;
  }
}

/// Selects another solver with its sublist.
void change_solver(Node& root, Random& random) {
  auto const solver = random.pick(solvers);
  for (auto* node : all_nodes(root)) {
    if (node->attribute("name") == "Solver Type") set(*node, "value", solver);
    if (node->attribute("name") == "Solver Types" && !node->children.empty())
      set(node->children.front(), "name", solver);
  }
}

/// Adds the node to the list of this name.
void add(Node& root, std::string const& list, Node const& child) {
  for (auto* node : all_nodes(root)) {
    if (node->tag == "ParameterList" && node->attribute("name") == list)
      return node->children.push_back(child);
  }
}

void mutate(Node& root, Random& random) {
  auto const nodes = all_nodes(root);
  auto& node = *nodes[random.below(nodes.size())];
  auto& other = *nodes[random.below(nodes.size())];
  static std::vector<std::string> const types{
      "int",  "double",     "bool",          "string",        "float",   "long long", "short",
      "char", "Array(int)", "Array(double)", "Array(string)", "integer", ""};
  switch (random.below(18)) {
    case 0:
      if (!node.children.empty())
        node.children.erase(node.children.begin() + static_cast<long>(random.below(node.children.size())));
      break;
    case 1:
      if (!node.children.empty()) node.children.push_back(node.children[random.below(node.children.size())]);
      break;
    case 2: {
      Node const copy = node;
      other.children.push_back(copy);
      break;
    }
    case 3:
      set(node, "name", any_name(random));
      break;
    case 4:
      set(node, "name", with_bytes_mutated(node.attribute("name"), random));
      break;
    case 5:
      set(node, "value", number(random));
      break;
    case 6:
      set(node, "value",
          random.one_in(2) ? any_name(random) : with_bytes_mutated(node.attribute("value"), random));
      break;
    case 7:
      set(node, "type", random.pick(types));
      break;
    case 8:
      if (!node.attributes.empty())
        node.attributes.erase(node.attributes.begin() +
                              static_cast<long>(random.below(node.attributes.size())));
      break;
    case 9:
      node.tag = random.one_in(2) ? "ParameterList" : "Parameter";
      break;
    case 10:
      node.text = random.one_in(2) ? "text" : "<!-- a comment -->";
      break;
    case 11:
      change_solver(root, random);
      break;
    case 12:
    case 13:
      for (auto const& solver : solvers) add(root, solver, belos_entry(random));
      break;
    case 14:
      add(root, random.one_in(2) ? "smoother: params" : "coarse: params", own_entry(random));
      break;
    default:
      add(root, "Tessera", own_entry(random));
  }
}

std::string with_lines_mutated(std::string const& text, Random& random) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  if (lines.empty()) return text;
  auto const one = random.below(lines.size()), other = random.below(lines.size());
  switch (random.below(5)) {
    case 0:
      lines.erase(lines.begin() + static_cast<long>(one));
      break;
    case 1:
      lines.insert(lines.begin() + static_cast<long>(one), lines[other]);
      break;
    case 2:
      std::swap(lines[one], lines[other]);
      break;
    case 3:
      lines[one] = lines[one].substr(0, lines[one].find(':')) +
                   lines[other].substr(std::min(lines[other].find(':'), lines[other].size()));
      break;
    default:
      lines[one] += " " + lines[other];
  }
  std::string result;
  for (auto const& line : lines) result += line + "\n";
  return result;
}

Case make_translation(Random& random) {
  static auto const texts = texts_in(TESSERA_FACTORIES);
  auto text = random.pick(texts);
  for (std::size_t count = 1 + random.below(4); count > 0; --count)
    text = random.one_in(3) ? with_bytes_mutated(text, random) : with_lines_mutated(text, random);
  return {{{"list.yaml", text}}, {{"params", "--translate", "@list.yaml"}}};
}

Case make(Random& random) {
  if (random.one_in(5)) return make_translation(random);
  auto root = parse_xml_tree(random.pick(seeds()));
  if (random.one_in(2))
    add(root, "Tessera", entry("coarse: max size", "int", std::to_string(1 + random.below(40))));
  if (random.one_in(3)) change_solver(root, random);
  for (std::size_t count = random.below(1 + random.below(6)); count > 0; --count) mutate(root, random);
  auto text = to_string(root);
  if (random.one_in(6)) {
    for (std::size_t count = 1 + random.below(3); count > 0; --count) text = with_bytes_mutated(text, random);
  }
  static std::vector<std::vector<std::string>> const problems{
      {"Laplace2D", "--nx", "12", "--ny", "11"},
      {"Elasticity2D", "--nx", "6", "--ny", "5"},
      {"RotatedAnisotropy2D", "--nx", "10", "--ny", "10"},
      {"Darcy3D", "--nx", "5", "--ny", "5", "--nz", "5", "--sigma", "2"},
      {"Brick3D", "--nx", "5", "--ny", "4", "--nz", "5"},
      {"Laplace2D", "--nx", "1", "--ny", "1"}};
  std::vector<std::string> solve{"solve", "--xml",    "@list.xml", "--quiet", "--max-iterations",
                                 "60",    "--problem"};
  auto const& problem = random.pick(problems);
  solve.insert(solve.end(), problem.begin(), problem.end());
  return {{{"list.xml", text}}, {{"params", "--validate", "@list.xml"}, solve}};
}

}  // namespace
}  // namespace Tessera::fuzz

int main(int argc, char** argv) {
  return Tessera::fuzz::drive(argc, argv, Tessera::fuzz::make);
}

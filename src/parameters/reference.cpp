#include "parameters/reference.hpp"

#include "parameters/method.hpp"
#include "parameters/table.hpp"

namespace Tessera::parameters {
namespace {

std::string aliases(Parameter const& row, char const* quote) {
  std::string all;
  for (auto const& alias : row.aliases) {
    all += (all.empty() ? "" : ", ") + (quote + alias.name + quote);
    std::string values;
    for (auto const& pair : alias.values) {
      values += (values.empty() ? "" : ", ") + pair.first + " = " + pair.second;
    }
    if (!values.empty()) all += " (" + values + ")";
  }
  return all;
}

/// The default, and those of methods that have another, such as: V (unsmoothed: K).
std::string defaults(Parameter const& row) {
  auto const standard = row.standard();
  std::string others;
  for (auto const& [name, algorithm] : algorithms()) {
    Draft draft;
    method_for(algorithm).defaults(draft);
    auto const own = row.get(draft);
    if (row.name != algorithm_name && own != standard)
      others += (others.empty() ? "" : ", ") + name + ": " + text(own);
  }
  return text(standard) + (others.empty() ? "" : " (" + others + ")");
}

}  // namespace

void print_reference(std::ostream& out) {
  std::string section;
  for (auto const& row : table()) {
    if (row.section != section) out << (section.empty() ? "" : "\n") << row.section << "\n";
    section = row.section;
    out << "  " << row.name << " (" << type_name(row.kind) << ", default " << defaults(row) << ")\n"
        << "      " << row.documentation << "\n"
        << "      Allowed: " << allowed_values(row) << ".";
    if (!row.condition.text.empty()) out << " Only with " << row.condition.text << ".";
    if (!row.aliases.empty()) out << " Also: " << aliases(row, "") << ".";
    if (!row.sublist.empty()) out << " Also in `" << row.sublist << "`.";
    out << "\n";
  }
  out << "\nSublists\n";
  for (auto const& sublist : sublists()) out << "  " << sublist.first << "\n      " << sublist.second << "\n";
}

void print_markdown(std::ostream& out) {
  out << "# Parameters\n\n"
         "Written by `tessera params --markdown` from the table in `src/parameters/table.cpp`; do not "
         "edit.\n\n"
         "Names are those of MueLu, ML and Ifpack2 wherever they have one. In a Stratimikos list they stand "
         "in\n"
         "`Preconditioner Types` -> `Tessera`; sublists of other types may stand beside it, parameters may "
         "not. An\n"
         "int is taken where a double is expected; choices may be written in any case. Unknown names, wrong "
         "types,\n"
         "values out of range and parameters that would have no effect are refused. All ranks give the same "
         "list,\n"
         "except for `backend: device`. Behind a default stands, by `multigrid algorithm`, where a method "
         "has "
         "another.\n";
  std::string section;
  for (auto const& row : table()) {
    if (row.section != section) {
      section = row.section;
      out << "\n## " << section
          << "\n\n| name | type | default | allowed | meaning |\n|---|---|---|---|---|\n";
    }
    out << "| `" << row.name << "` | " << type_name(row.kind) << " | " << defaults(row) << " | "
        << allowed_values(row) << " | ";
    for (char const c : row.documentation) {  // a bar would end the cell
      if (c == '|') out << '\\';
      out << c;
    }
    if (!row.condition.text.empty()) out << " Only with " << row.condition.text << ".";
    if (!row.sublist.empty()) out << " May stand in `" << row.sublist << "`.";
    out << " Origin: " << row.origin << ".";
    if (!row.aliases.empty()) out << " Also: " << aliases(row, "`") << ".";
    out << " |\n";
  }
  out << "\n## Sublists\n\n| name | meaning |\n|---|---|\n";
  for (auto const& sublist : sublists()) out << "| `" << sublist.first << "` | " << sublist.second << " |\n";
}

}  // namespace Tessera::parameters

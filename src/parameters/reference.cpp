#include "parameters/valid_parameters.hpp"

#include "parameters/vocabulary.hpp"
#include "settings/settings.hpp"
#include "settings/table.hpp"

namespace Tessera::parameters {

using namespace settings;

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

std::string quoted(std::string const& text) {
  return "`" + text + "`";
}

std::string describe_status(TranslationStatus status, std::string const& here) {
  switch (status) {
    case TranslationStatus::same:
      return here.empty() ? "the same" : quoted(here);
    case TranslationStatus::renamed:
      return quoted(here);
    case TranslationStatus::no_effect:
      return "no effect";
    case TranslationStatus::no_counterpart:
      break;
  }
  return here.empty() ? "no counterpart" : "no counterpart, nearest " + quoted(here);
}

/// Values with the same status and note follow each other.
std::string values(ForeignParameter const& row) {
  std::string text, last;
  for (auto const& one : row.values) {
    auto const name = one.name.empty() ? one.ours : one.name + " = " + one.ours;
    auto what = one.status == TranslationStatus::same ? describe_status(one.status, "")
                                                      : describe_status(one.status, name);
    if (!one.note.empty()) what += " (" + one.note + ")";
    std::string const value = one.value.empty() ? "empty" : one.value == "*" ? "others" : quoted(one.value);
    if (what == last) {
      auto const end = text.rfind(": " + what);
      text.insert(end, ", " + value);
    } else {
      text += (text.empty() ? "" : "; ") + value + ": " + what;
    }
    last = what;
  }
  return text;
}

/// Parameters that differ in their name alone; they share one line.
bool is_other_name(ForeignParameter const& row) {
  return row.status == TranslationStatus::renamed && !row.ours.empty() && row.values.empty();
}
/// Parameters without counterpart, except for the one value that requests nothing; they share one line.
bool is_switch(ForeignParameter const& row) {
  return row.status == TranslationStatus::no_counterpart && row.ours.empty() && row.values.size() == 1 &&
         row.values.front().status == TranslationStatus::no_effect;
}

/// The lines of these two kinds.
void print_collected(std::ostream& out, std::vector<ForeignParameter> const& rows) {
  std::string other_names, switches;
  for (auto const& row : rows) {
    if (is_other_name(row)) {
      for (auto const& name : row.names) {
        other_names += (other_names.empty() ? "" : "; ") + quoted(name) + ": " + quoted(row.ours) +
                       (row.note.empty() ? "" : " (" + row.note + ")");
      }
    } else if (is_switch(row)) {
      auto const& off = row.values.front().value;
      std::string all;
      for (auto const& name : row.names) all += (all.empty() ? "" : ", ") + quoted(name);
      switches += (switches.empty() ? "" : "; ") + all + " (" + (off.empty() ? "empty" : quoted(off)) + ")" +
                  (row.note.empty() ? "" : ": " + row.note);
    }
  }
  if (!other_names.empty()) out << "| parameters with another name | that name | " << other_names << " |\n";
  if (!switches.empty())
    out << "| parameters at the value that requests nothing | no effect; otherwise no counterpart | "
        << switches << " |\n";
}

/// Parameters with equal status, name and remarks share one line.
void merge(ForeignParameter const& row, std::vector<ForeignParameter>& groups) {
  for (auto& group : groups) {
    if (group.status != row.status || group.ours != row.ours || group.note != row.note ||
        values(group) != values(row))
      continue;
    group.names.insert(group.names.end(), row.names.begin(), row.names.end());
    return;
  }
  groups.push_back(row);
}

void print_row(std::ostream& out, ForeignParameter const& row) {
  std::string names;
  for (auto const& name : row.names) names += (names.empty() ? "" : ", ") + quoted(name);
  out << "| " << names << " | ";
  bool const by_value = row.status == TranslationStatus::renamed && row.ours.empty();
  out << (by_value ? "by its value" : describe_status(row.status, row.ours)) << " | " << row.note;
  auto const all = values(row);
  out << (row.note.empty() || all.empty() ? "" : ". ") << all << " |\n";
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
         "Generated by `tessera params --markdown` from the table in `packages/settings/table.cpp`; do not "
         "edit.\n\n"
         "Names are those of MueLu, ML and Ifpack2 wherever they have one. In a Stratimikos list the "
         "parameters belong in\n"
         "`Preconditioner Types` -> `Tessera`, next to the sublists of other types. An int is accepted for a "
         "double, and choices in\n"
         "any case. Unknown names, wrong types, values out of range and parameters without effect are "
         "refused. All ranks give the\n"
         "same list, except for `backend: device`. Names without origin are Tessera's. Defaults in "
         "parentheses belong to another `multigrid "
         "algorithm`.\n";
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
    if (!row.sublist.empty()) out << " Allowed in `" << row.sublist << "`.";
    if (row.origin != "Tessera") out << " Origin: " << row.origin << ".";
    if (!row.aliases.empty()) out << " Also: " << aliases(row, "`") << ".";
    out << " |\n";
  }
  out << "\n## Sublists\n\n| name | meaning |\n|---|---|\n";
  for (auto const& sublist : sublists()) out << "| `" << sublist.first << "` | " << sublist.second << " |\n";
}

void print_vocabulary(std::ostream& out) {
  out << "# Parameters of MueLu, ML and Ifpack2\n\n"
         "Generated by `tessera params --words` from the table in `src/parameters/vocabulary*.cpp`; do not "
         "edit.\n\n"
         "    tessera params --translate theirs.xml --out ours.xml\n\n"
         "translates a list of the library, in XML or YAML, or such lists inside others: in Stratimikos "
         "lists, "
         "which keep their solver,\n"
         "and in Teko's inverse library. It reports the status of every parameter. A parameter that the "
         "library "
         "does not have is an\n"
         "error, with the nearest name. Parameters that the list leaves out have Tessera's defaults.\n\n"
         "Tessera's own lists accept these parameters, too. One without effect is reported once; one without "
         "counterpart is refused,\n"
         "with the nearest. `tessera: strict` = `true` also refuses the former; `false` turns refusals into "
         "warnings\n"
         "([decision 24](decisions/0024-parameters-of-other-libraries.md)).\n\n"
         "| status | meaning |\n|---|---|\n"
         "| the same, or a name | accepted as this parameter of Tessera |\n"
         "| no effect | the result does not depend on it |\n"
         "| no counterpart | it would give another preconditioner |\n";
  for (auto const library : libraries()) {
    out << "\n## " << name_of(library) << "\n\n";
    if (library == Library::muelu)
      out << "The easy interface of Trilinos 13.2 to 17. Sublists `level N` take parameters of smoothers and "
             "a "
             "drop tolerance; the\n"
             "others are equal on all levels. Lists of factories (`Factories`, `Hierarchy`) have the same "
             "parameters. The report names\n"
             "factories without counterpart, such as those of semicoarsening and lines.\n\n";
    if (library == Library::ml) out << "Parameters of smoothers may end in ` (level N)`.\n\n";
    if (library == Library::ifpack2)
      out << "In `smoother: params` of MueLu, or a preconditioner by itself, which becomes one level of "
             "sweeps "
             "or a sparse inverse.\n\n";
    out << "| parameters | status in Tessera | remarks |\n|---|---|---|\n";
    std::vector<ForeignParameter> groups;
    for (auto const& row : vocabulary())
      if (row.library == library) merge(row, groups);
    for (auto const& group : groups)
      if (!is_other_name(group) && !is_switch(group)) print_row(out, group);
    print_collected(out, groups);
  }
}

}  // namespace Tessera::parameters

#include "parameters/translation.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/parse.hpp"
#include "parameters/translator.hpp"

namespace Tessera::parameters {
namespace {

using Teuchos::ParameterList;

void read_ml_frame(ParameterList const& list, Translator& translator) {
  if (!list.isSublist("ML Settings") && !list.isParameter("Base Method Defaults"))
    return translator.read_ml(list);
  for (auto const& entry : list) {
    TESSERA_VALIDATE(entry.first == "Base Method Defaults" || entry.first == "ML Settings",
                     where(list, entry.first), " is unknown to Stratimikos",
                     hint(entry.first, {"Base Method Defaults", "ML Settings"}));
  }
  ParameterList all(list.name());
  if (list.isSublist("ML Settings")) all = list.sublist("ML Settings");
  if (list.isType<std::string>("Base Method Defaults") &&
      list.get<std::string>("Base Method Defaults") != "none")
    all.set("default values", list.get<std::string>("Base Method Defaults"));
  translator.read_ml(all);
}

void read_ifpack2_frame(ParameterList const& list, Translator& translator) {
  std::vector<std::string> const frame{"Prec Type", "Overlap", "Ifpack2 Settings", "half precision"};
  bool const framed =
      std::any_of(frame.begin(), frame.end(), [&](auto const& name) { return list.isParameter(name); });
  if (!framed) return translator.read_ifpack2(list, "");
  for (auto const& entry : list) {
    TESSERA_VALIDATE(std::find(frame.begin(), frame.end(), entry.first) != frame.end(),
                     where(list, entry.first), " is unknown to Stratimikos", hint(entry.first, frame));
    if (entry.first == "Overlap" || entry.first == "half precision")
      translator.note({entry.first + " = " + plain(entry.second), TranslationStatus::no_effect, "",
                       "Tessera's preconditioners use the rows of all ranks"});
  }
  static ParameterList const nothing;
  auto const& inside = list.isSublist("Ifpack2 Settings") ? list.sublist("Ifpack2 Settings") : nothing;
  translator.read_ifpack2(
      inside, list.isType<std::string>("Prec Type") ? list.get<std::string>("Prec Type") : "CHEBYSHEV");
}

/// list: the library's own, in the sublists that Stratimikos adds around its settings.
void read(Library library, ParameterList const& list, Translator& translator) {
  if (library == Library::muelu) return translator.read_muelu(list);
  if (library == Library::ml) return read_ml_frame(list, translator);
  read_ifpack2_frame(list, translator);
}

/// The library that has most of the names.
Library guessed(ParameterList const& list) {
  TESSERA_VALIDATE(list.numParams() > 0, core::excerpt(list.name(), 300),
                   ": the list is empty, so its library is unknown");
  if (list.isSublist("ML Settings") || list.isParameter("Base Method Defaults")) return Library::ml;
  if (list.isSublist("Ifpack2 Settings") || list.isParameter("Prec Type")) return Library::ifpack2;
  if (list.isSublist("Factories") || list.isSublist("Hierarchy")) return Library::muelu;
  std::array<int, 3> counts{};
  for (auto const& entry : list) {
    auto const foreign = entry.first.substr(0, entry.first.find(" (level "));
    for (auto const library : libraries())
      counts[static_cast<std::size_t>(library)] += find_foreign(library, foreign) != nullptr ? 1 : 0;
    if (entry.second.isList() && foreign.rfind("level ", 0) == 0) ++counts[0];
  }
  auto const most = std::max_element(counts.begin(), counts.end());
  TESSERA_VALIDATE(
      *most > 0, core::excerpt(list.name(), 300),
      ": none of its names is a parameter of MueLu, ML or Ifpack2; give a list of one of them, or a "
      "Stratimikos list whose \"Preconditioner Type\" is one");
  return static_cast<Library>(most - counts.begin());
}

std::optional<Library> library_at(ParameterList const& list, std::string const& name) {
  if (!list.isType<std::string>(name)) return {};
  for (auto const library : libraries())
    if (name_of(library) == list.get<std::string>(name)) return library;
  return {};
}

/// Tessera's list for one of a library. path: before the names of its entries
ParameterList translated(Library library, ParameterList const& list, std::string const& path,
                         Translation& result) {
  Translator translator(library);
  read(library, list, translator);
  ParameterList ours("Tessera");
  translator.write(ours);
  parse(ours);
  result.libraries.push_back(library);
  for (auto& entry : translator.take_entries()) {
    entry.theirs = path + entry.theirs;
    result.entries.push_back(std::move(entry));
  }
  return ours;
}

char const *const chosen = "Preconditioner Type", *const choices = "Preconditioner Types";

/// Replaces the library's sublist of a Stratimikos list by one of Tessera's.
void translate_frame(ParameterList& list, Library library, std::string const& path, Translation& result) {
  auto const& name = name_of(library);
  static ParameterList const nothing;
  bool const given = list.isSublist(choices) && list.sublist(choices).isSublist(name);
  ParameterList types(choices);
  types.sublist("Tessera") =
      translated(library, given ? list.sublist(choices).sublist(name) : nothing, path, result);
  list.set<std::string>(chosen, "Tessera");
  list.sublist(choices) = types;
}

/// Replaces lists at any depth: of Stratimikos, and in Teko's library of inverses.
void translate_inside(ParameterList& list, std::string const& path, Translation& result) {
  if (auto const library = library_at(list, chosen)) return translate_frame(list, *library, path, result);
  if (auto const library = library_at(list, "Type")) {
    ParameterList inside(list);
    inside.remove("Type");
    list = translated(*library, inside, path, result);
    list.set<std::string>("Type", "Tessera");
    return;
  }
  std::vector<std::string> names;
  for (auto const& entry : list)
    if (entry.second.isList()) names.push_back(entry.first);
  for (auto const& name : names) translate_inside(list.sublist(name), path + name + " -> ", result);
}

}  // namespace

Translation translate(ParameterList const& list, std::optional<Library> from) {
  Translation result;
  result.list = Teuchos::rcp(new ParameterList(list));
  if (list.isParameter(chosen) || list.isSublist(choices)) {
    result.name = "Stratimikos";
    TESSERA_VALIDATE(list.isType<std::string>(chosen), where(list, chosen),
                     " is not given; it names the library");
    auto const type = list.get<std::string>(chosen);
    auto const library = library_at(list, chosen);
    TESSERA_VALIDATE(!from || from == library, where(list, chosen), " is ", core::excerpt(type), ", not ",
                     from ? name_of(*from) : "");
    if (library) {
      translate_frame(*result.list, *library, "", result);
    } else {
      translate_inside(*result.list, "", result);
    }
    TESSERA_VALIDATE(!result.libraries.empty(), where(list, chosen), " is \"", core::excerpt(type), "\"; ",
                     type == "Tessera" ? "this is already a list of Tessera's"
                                       : "lists of MueLu, ML and Ifpack2 are translated");
    return result;
  }
  result.name = "Parameters";
  if (!from) translate_inside(*result.list, "", result);
  if (!result.libraries.empty()) return result;
  result.name = "Tessera";
  *result.list = translated(from ? *from : guessed(list), list, "", result);
  return result;
}

void print_translation(std::ostream& out, Translation const& translation) {
  std::pair<TranslationStatus, char const*> const titles[] = {
      {TranslationStatus::same, "Taken as they are"},
      {TranslationStatus::renamed, "Other name or value in Tessera"},
      {TranslationStatus::no_effect, "No effect; the result does not depend on them"},
      {TranslationStatus::no_counterpart, "No counterpart; the preconditioner differs in these"}};
  std::string from;
  for (auto const library : libraries())
    if (auto const count = std::count(translation.libraries.begin(), translation.libraries.end(), library))
      from += (from.empty() ? "" : " and ") +
              (count == 1 ? "a list of " : std::to_string(count) + " lists of ") + name_of(library);
  out << "From " << from << ". Parameters that are left out have Tessera's defaults.\n";
  for (auto const& [status, title] : titles) {
    bool first = true;
    for (auto const& entry : translation.entries) {
      if (entry.status != status) continue;
      if (first) out << title << ":\n";
      first = false;
      out << "  " << entry.theirs;
      if (!entry.ours.empty()) out << "  ->  " << entry.ours;
      if (!entry.note.empty()) out << "  (" << entry.note << ")";
      out << "\n";
    }
  }
}

}  // namespace Tessera::parameters

#include "parameters/translation.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "parameters/messages.hpp"
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

Library named(ParameterList const& list, std::string const& type) {
  for (auto const library : libraries())
    if (name_of(library) == type) return library;
  throw core::InvalidInput(where(list, "Preconditioner Type") + " is \"" + core::excerpt(type) + "\"; " +
                           (type == "Tessera" ? "this is already a list of Tessera's"
                                              : "lists of MueLu, ML and Ifpack2 are translated"));
}

/// The same Stratimikos list with Tessera's sublist instead of the library's.
void insert_into_frame(ParameterList const& list, ParameterList const& ours, ParameterList& result) {
  result = list;
  result.set<std::string>("Preconditioner Type", "Tessera");
  ParameterList types("Preconditioner Types");
  types.sublist("Tessera") = ours;
  result.sublist("Preconditioner Types") = types;
}

}  // namespace

Translation translate(ParameterList const& list, std::optional<Library> from) {
  bool const framed = list.isParameter("Preconditioner Type") || list.isSublist("Preconditioner Types");
  Translation result;
  auto const* source = &list;
  static ParameterList const nothing;
  if (framed) {
    TESSERA_VALIDATE(list.isType<std::string>("Preconditioner Type"), where(list, "Preconditioner Type"),
                     " is not given; it names the library");
    auto const type = list.get<std::string>("Preconditioner Type");
    result.library = named(list, type);
    TESSERA_VALIDATE(!from || *from == result.library, where(list, "Preconditioner Type"), " is ", type,
                     ", not ", name_of(from.value_or(result.library)));
    bool const given =
        list.isSublist("Preconditioner Types") && list.sublist("Preconditioner Types").isSublist(type);
    source = given ? &list.sublist("Preconditioner Types").sublist(type) : &nothing;
  } else {
    result.library = from ? *from : guessed(list);
  }
  Translator translator(result.library);
  read(result.library, *source, translator);
  result.list = Teuchos::rcp(new ParameterList("Tessera"));
  translator.write(*result.list);
  result.entries = translator.take_entries();
  if (framed) {
    auto const ours = *result.list;
    insert_into_frame(list, ours, *result.list);
  }
  return result;
}

void print_translation(std::ostream& out, Translation const& translation) {
  std::pair<TranslationStatus, char const*> const titles[] = {
      {TranslationStatus::same, "Taken as they are"},
      {TranslationStatus::renamed, "Other name or value in Tessera"},
      {TranslationStatus::no_effect, "No effect; the result does not depend on them"},
      {TranslationStatus::no_counterpart, "No counterpart; the preconditioner differs in these"}};
  out << "From a list of " << name_of(translation.library)
      << ". Parameters that it leaves out have Tessera's defaults.\n";
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

// What is peculiar to each library's lists.
#include <algorithm>

#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/translator.hpp"

namespace Tessera::parameters {
namespace {

std::string string_at(Teuchos::ParameterList const& list, std::string const& name) {
  return list.isType<std::string>(name) ? list.get<std::string>(name) : "";
}

/// Of a list that does not say its type.
std::string type_by_words(Teuchos::ParameterList const& list) {
  for (auto const& entry : list) {
    if (entry.first.rfind("chebyshev:", 0) == 0) return "CHEBYSHEV";
    if (entry.first.rfind("relaxation:", 0) == 0) return "RELAXATION";
    if (entry.first.rfind("fact:", 0) == 0) return "RILUK";
    if (entry.first.rfind("schwarz:", 0) == 0) return "SCHWARZ";
  }
  return "";
}

/// The number behind `before`, and nothing else; -1: none.
int number_behind(std::string const& name, std::string const& before, std::string const& after) {
  if (name.rfind(before, 0) != 0 || name.size() <= before.size() + after.size()) return -1;
  auto const digits = name.substr(before.size(), name.size() - before.size() - after.size());
  bool const number = digits.find_first_not_of("0123456789") == std::string::npos && digits.size() <= 2;
  return number && name.substr(name.size() - after.size()) == after ? std::stoi(digits) : -1;
}

std::vector<std::string> const smoother_names{"smoother: type",      "smoother: params",
                                              "smoother: pre type",  "smoother: pre params",
                                              "smoother: post type", "smoother: post params"};

bool is_of_smoother(std::string const& name) {
  return std::find(smoother_names.begin(), smoother_names.end(), name) != smoother_names.end();
}

}  // namespace

void Translator::smoother_of_muelu(std::string const& type, std::string const& params, Place const& place) {
  bool const has_params = place.list.isSublist(params);
  if (place.list.isParameter(params) && !has_params) {
    problems_.push_back(where(place.list, params) + " is a parameter; it should be a sublist");
    return;
  }
  static Teuchos::ParameterList const nothing;
  auto const& inside = has_params ? place.list.sublist(params) : nothing;
  std::string kind = type_by_words(inside);
  if (place.list.isParameter(type)) {
    auto const& word = *find_word(Library::muelu, type);
    auto const found = meaning(word, place.list.getEntry(type));
    kind = found.here;
    auto const relaxed = meaning(*find_word(Library::ifpack2, "relaxation: type"),
                                 Teuchos::ParameterEntry(string_at(inside, "relaxation: type")));
    bool const replaced = kind == "RELAXATION" && relaxed.status == TranslationStatus::absent &&
                          relaxed.here.empty() && !string_at(inside, "relaxation: type").empty();
    if (replaced) {
      say(place, type, TranslationStatus::absent, "smoother: type = CHEBYSHEV", "by `relaxation: type`");
    } else {
      take(word, type, place);
    }
  }
  smoother_words(kind, {inside, place.path + params + " -> ", place.said});
}

void Translator::smoothers_of_muelu(Place const& place) {
  auto const& list = place.list;
  bool const pre = list.isParameter("smoother: pre type") || list.isSublist("smoother: pre params");
  bool const post = list.isParameter("smoother: post type") || list.isSublist("smoother: post params");
  if (!pre && !post) return smoother_of_muelu("smoother: type", "smoother: params", place);
  if (list.isParameter("smoother: type") || list.isSublist("smoother: params")) {
    problems_.push_back(where(list, "smoother: type") +
                        " and smoothers for before and after contradict each other; leave one out");
    return;
  }
  auto const when = upper_case(string_at(list, "smoother: pre or post"));
  Said before, after;
  if (pre && when != "POST")
    smoother_of_muelu("smoother: pre type", "smoother: pre params", {list, place.path, before});
  if (post && when != "PRE")
    smoother_of_muelu("smoother: post type", "smoother: post params", {list, place.path, after});
  auto const& chosen = before.empty() ? after : before;
  for (auto const& one : chosen) place.said[one.first] = one.second;
  if (before != after && when != "PRE" && when != "POST")
    words_.push_back({place.path + "smoother: pre type, smoother: post type", TranslationStatus::absent,
                      before.empty() ? "that after" : "that before",
                      "for both: with different smoothers a cycle is not symmetric, as CG needs it"});
}

void Translator::level_of_muelu(int level, Teuchos::ParameterList const& list) {
  Place const place{list, "level " + std::to_string(level) + " -> ", said_[level]};
  for (auto const& entry : list) {
    if (is_of_smoother(entry.first)) continue;
    if (find_word(Library::muelu, entry.first) == nullptr) {
      unknown(Library::muelu, entry.first, place);
    } else {
      say(place, entry.first, TranslationStatus::absent, "", "levels may differ in their smoothers alone");
    }
  }
  smoothers_of_muelu(place);
}

void Translator::read_muelu(Teuchos::ParameterList const& list) {
  for (auto const* one : {"Factories", "Hierarchy"}) {
    TESSERA_VALIDATE(!list.isSublist(one), where(list, one),
                     " is of MueLu's lists of factories, which are not translated; those of its easy "
                     "interface are");
  }
  Place const place{list, "", said_[all_levels]};
  bool const moves = list.isType<bool>("repartition: enable") && list.get<bool>("repartition: enable");
  for (auto const& entry : list) {
    auto const& name = entry.first;
    int const level = number_behind(name, "level ", "");
    if (is_of_smoother(name)) continue;
    if (level >= 0 && entry.second.isList()) {
      level_of_muelu(level, list.sublist(name));
    } else if (name == "user data" && entry.second.isList()) {
      user_data_ = list.sublist(name);
      say(place, name, TranslationStatus::same, "", "");
    } else if (name == "repartition: min rows per proc" && !moves) {
      say(place, name, TranslationStatus::idle, "", "only with `repartition: enable` = true");
    } else {
      word(Library::muelu, name, place);
    }
  }
  smoothers_of_muelu(place);
}

void Translator::smoother_of_ml(Place const& place, std::string const& suffix,
                                Teuchos::ParameterList const& all) {
  auto const& list = place.list;
  std::string const general_sweeps = "smoother: sweeps";
  auto const type = "smoother: type" + suffix, own_sweeps = general_sweeps + suffix;
  bool const has_type = list.isParameter(type), has_sweeps = list.isParameter(own_sweeps);
  if (!has_type && !has_sweeps) return;
  // A level without an entry has that of all levels.
  Place const at = has_sweeps ? place : Place{all, place.path, place.said};
  auto const sweeps = has_sweeps ? own_sweeps : general_sweeps;
  bool const swept = at.list.isParameter(sweeps);
  if (swept && !at.list.isType<int>(sweeps)) {
    problems_.push_back(where(at.list, sweeps) + " must be of type int");
    return;
  }
  auto const& word = *find_word(Library::ml, "smoother: type");
  // Without any type ML's default is the symmetric Gauss-Seidel method.
  auto const entry = has_type ? list.getEntry(type)
                     : all.isParameter("smoother: type")
                         ? all.getEntry("smoother: type")
                         : Teuchos::ParameterEntry(std::string("symmetric Gauss-Seidel"));
  auto const found = meaning(word, entry);
  auto const upper = upper_case(found.value);
  if (upper.find("GAUSS-SEIDEL") != std::string::npos && found.here == "CHEBYSHEV") {
    polynomial_for(upper.find("SYMMETRIC") != std::string::npos, swept ? at.list.get<int>(sweeps) : 2,
                   place.path + type + " = " + found.value, place.said);
    return;
  }
  if (has_type) take(word, type, place);
  if (!swept) return;
  if (found.here == "RELAXATION") return take(*find_word(Library::ml, general_sweeps), sweeps, at);
  if (upper == "MLS" || upper.find("CHEBYSHEV") != std::string::npos)
    return degree_of_ml(place, suffix, at, sweeps);
  if (!has_sweeps) return;
  bool const nothing = found.here == "none";
  say(place, sweeps, nothing ? TranslationStatus::idle : TranslationStatus::absent, "",
      nothing ? "nothing is smoothed" : "what stands in the smoother's place is applied once");
}

/// ML takes the degree from `smoother: polynomial order`, or else from `smoother: sweeps`, which stands at
/// `at`.
void Translator::degree_of_ml(Place const& place, std::string const& suffix, Place const& at,
                              std::string const& sweeps) {
  for (auto const* order : {"smoother: MLS polynomial order", "smoother: polynomial order"})
    for (auto const& name : {order + suffix, std::string(order)})
      if (place.list.isParameter(name) || at.list.isParameter(name))
        return say(at, sweeps, TranslationStatus::idle, "", core::message("`", name, "` is the degree"));
  take(
      {{"smoother: sweeps"}, TranslationStatus::renamed, "chebyshev: degree", "ML's degree", {}, Library::ml},
      sweeps, at);
}

void Translator::word_of_ml(std::string const& name, std::string const& plain_name, Place const& place) {
  if (plain_name == "smoother: type" || plain_name == "smoother: sweeps") return;
  auto const* known = find_word(Library::ml, plain_name);
  bool const of_coarse = known == nullptr && plain_name.rfind("coarse: ", 0) == 0 &&
                         find_word(Library::ml, "smoother: " + plain_name.substr(8)) != nullptr;
  if (of_coarse)
    return say(place, name, TranslationStatus::idle, "", "the dense factorization has no parameters");
  if (known == nullptr) return unknown(Library::ml, name, place);
  bool const of_smoother = plain_name.rfind("smoother: ", 0) == 0 && plain_name != "smoother: pre or post";
  bool const wide = !of_smoother && name != plain_name;
  if (wide)
    return say(place, name, TranslationStatus::absent, "", "levels may differ in their smoothers alone");
  bool const first = plain_name == "smoother: Chebyshev alpha" || plain_name == "smoother: MLS alpha";
  if (first) put("chebyshev: algorithm", "first", place.said);
  take(*known, name, place);
}

void Translator::read_ml(Teuchos::ParameterList const& list) {
  Place const top{list, "", said_[all_levels]};
  std::vector<std::pair<int, std::string>> suffixes{{all_levels, ""}};
  for (auto const& entry : list) {
    auto const& name = entry.first;
    auto const at = name.find(" (level ");
    int const level = at == std::string::npos ? all_levels : number_behind(name, name.substr(0, at + 8), ")");
    if (at != std::string::npos && level < 0) {
      unknown(Library::ml, name, top);
      continue;
    }
    auto const word = name.substr(0, at);
    if (word == "smoother: list" && entry.second.isList()) {
      Place const inside{list.sublist(name), name + " -> ", said_[level]};
      for (auto const& one : inside.list) word_of_ml(one.first, one.first, inside);
      smoother_of_ml(inside, "", list);
      continue;
    }
    auto const suffix = name.substr(word.size());
    if (level >= 0 &&
        std::find(suffixes.begin(), suffixes.end(), std::make_pair(level, suffix)) == suffixes.end())
      suffixes.emplace_back(level, suffix);
    word_of_ml(name, word, {list, "", said_[level]});
  }
  for (auto const& [level, suffix] : suffixes) smoother_of_ml({list, "", said_[level]}, suffix, list);
}

void Translator::read_ifpack2(Teuchos::ParameterList const& list, std::string const& given) {
  auto const type = given.empty() ? type_by_words(list) : given;
  auto const found = meaning(*find_word(Library::muelu, "smoother: type"), Teuchos::ParameterEntry(type));
  TESSERA_VALIDATE(found.here == "CHEBYSHEV" || found.here == "RELAXATION" || found.here == "FSAI",
                   core::excerpt(list.name(), 300), ": ", type.empty() ? "the words do not say" : type,
                   type.empty() ? " of which preconditioner of Ifpack2 they are; give \"Prec Type\""
                                : " is no preconditioner of Ifpack2 that is known here");
  auto& said = said_[all_levels];
  if (found.here == "FSAI") {
    put("multigrid algorithm", "fsai", said);
  } else {
    put("max levels", "1", said);
    put("coarse: type", "smoother", said);
    put("coarse: sweeps", "1", said);
    put("smoother: type", found.here, said);
  }
  words_.push_back(
      {"Prec Type = " + type,
       found.status == TranslationStatus::absent ? TranslationStatus::absent : TranslationStatus::renamed,
       found.here == "FSAI" ? "multigrid algorithm = fsai" : "max levels = 1",
       found.here == "FSAI" ? found.note
                            : "the smoother alone; without `max levels` it is one of a multigrid method"});
  smoother_words(found.here, {list, "", said});
}

}  // namespace Tessera::parameters

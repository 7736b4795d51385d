// Rules that are special to one library's lists.
#include <algorithm>

#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/translator.hpp"
#include "settings/table.hpp"

namespace Tessera::parameters {
namespace {

std::string string_at(Teuchos::ParameterList const& list, std::string const& name) {
  return list.isType<std::string>(name) ? list.get<std::string>(name) : "";
}

/// The type of a preconditioner of Ifpack2, by the names in its list.
std::string type_by_names(Teuchos::ParameterList const& list) {
  for (auto const& entry : list) {
    if (entry.first.rfind("chebyshev:", 0) == 0) return "CHEBYSHEV";
    if (entry.first.rfind("relaxation:", 0) == 0) return "RELAXATION";
    if (entry.first.rfind("fact:", 0) == 0) return "RILUK";
    if (entry.first.rfind("schwarz:", 0) == 0) return "SCHWARZ";
  }
  return "";
}

/// The number between `before` and `after`; -1: the name has another form.
int number_after(std::string const& name, std::string const& before, std::string const& after) {
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
  std::string kind = type_by_names(inside);
  if (place.list.isParameter(type)) {
    auto const& foreign = *find_foreign(Library::muelu, "smoother: type");
    auto const found = translated_value(foreign, place.list.getEntry(type));
    kind = found.ours;
    auto const relaxed = translated_value(*find_foreign(Library::ifpack2, "relaxation: type"),
                                          Teuchos::ParameterEntry(string_at(inside, "relaxation: type")));
    bool const replaced = kind == "RELAXATION" && relaxed.status == TranslationStatus::no_counterpart &&
                          relaxed.ours.empty() && !string_at(inside, "relaxation: type").empty();
    if (replaced) {
      record(place, type, TranslationStatus::no_counterpart, "smoother: type = CHEBYSHEV",
             "by `relaxation: type`");
    } else {
      translate_as(foreign, type, place);
    }
  }
  smoother_parameters(kind, {inside, place.path + params + " -> ", place.values});
}

void Translator::smoothers_of_muelu(Place const& place) {
  auto const& list = place.list;
  bool const pre = list.isParameter("smoother: pre type") || list.isSublist("smoother: pre params");
  bool const post = list.isParameter("smoother: post type") || list.isSublist("smoother: post params");
  if (!pre && !post) return smoother_of_muelu("smoother: type", "smoother: params", place);
  if (list.isParameter("smoother: type") || list.isSublist("smoother: params")) {
    problems_.push_back(
        where(list, "smoother: type") +
        " and smoothers for before and after the coarse correction contradict each other; leave one out");
    return;
  }
  auto const when = upper_case(string_at(list, "smoother: pre or post"));
  Values before, after;
  if (pre && when != "POST")
    smoother_of_muelu("smoother: pre type", "smoother: pre params", {list, place.path, before});
  if (post && when != "PRE")
    smoother_of_muelu("smoother: post type", "smoother: post params", {list, place.path, after});
  auto const& chosen = before.empty() ? after : before;
  for (auto const& one : chosen) place.values[one.first] = one.second;
  if (before != after && when != "PRE" && when != "POST")
    entries_.push_back({place.path + "smoother: pre type, smoother: post type",
                        TranslationStatus::no_counterpart,
                        before.empty() ? "the one after" : "the one before",
                        "for both: CG needs a symmetric cycle, with the same smoother before and after"});
}

void Translator::level_of_muelu(int level, Teuchos::ParameterList const& list) {
  Place const place{list, "level " + std::to_string(level) + " -> ", values_[level]};
  for (auto const& entry : list) {
    if (is_of_smoother(entry.first)) continue;
    if (find_foreign(Library::muelu, entry.first) == nullptr) {
      unknown(Library::muelu, entry.first, place);
    } else if (entry.first == drop_tolerance_name) {
      translate_entry(Library::muelu, entry.first, place);
    } else {
      record(place, entry.first, TranslationStatus::no_counterpart, "",
             "levels may differ in their smoothers and drop tolerances only");
    }
  }
  smoothers_of_muelu(place);
}

void Translator::read_muelu(Teuchos::ParameterList const& list) {
  if (list.isSublist("Factories") || list.isSublist("Hierarchy")) {
    read_factories(list);
    return keep_drop_tolerance();
  }
  Place const place{list, "", values_[all_levels]};
  bool const moves = list.isType<bool>("repartition: enable") && list.get<bool>("repartition: enable");
  for (auto const& entry : list) {
    auto const& name = entry.first;
    int const level = number_after(name, "level ", "");
    if (is_of_smoother(name)) continue;
    if (level >= 0 && entry.second.isList()) {
      level_of_muelu(level, list.sublist(name));
    } else if (name == "user data" && entry.second.isList()) {
      user_data_ = list.sublist(name);
      record(place, name, TranslationStatus::same, "", "");
    } else if (name == "repartition: min rows per proc" && !moves) {
      record(place, name, TranslationStatus::no_effect, "", "only with `repartition: enable` = true");
    } else {
      translate_entry(Library::muelu, name, place);
    }
  }
  smoothers_of_muelu(place);
  keep_drop_tolerance();
}

void Translator::keep_drop_tolerance() {
  auto const& ours = names();
  auto const *const scaling = ours.at("aggregation: drop tol scaling").row, *const tolerance =
                                                                                ours.at(drop_tolerance_name)
                                                                                    .row;
  auto& values = values_[all_levels];
  if (values.count(tolerance) == 0 || values.count(scaling) > 0) return;
  set_value(scaling->name, "1", values);
  entries_.push_back({drop_tolerance_name, TranslationStatus::renamed, "aggregation: drop tol scaling = 1",
                      "MueLu has the same on all levels"});
}

void Translator::smoother_of_ml(Place const& place, std::string const& suffix,
                                Teuchos::ParameterList const& all) {
  auto const& list = place.list;
  std::string const general_sweeps = "smoother: sweeps";
  auto const type = "smoother: type" + suffix, own_sweeps = general_sweeps + suffix;
  bool const has_type = list.isParameter(type), has_sweeps = list.isParameter(own_sweeps);
  if (!has_type && !has_sweeps) return;
  // A level without an entry has the entry of all levels.
  Place const at = has_sweeps ? place : Place{all, place.path, place.values};
  auto const sweeps = has_sweeps ? own_sweeps : general_sweeps;
  bool const swept = at.list.isParameter(sweeps);
  if (swept && !at.list.isType<int>(sweeps)) {
    problems_.push_back(where(at.list, sweeps) + " must be of type int");
    return;
  }
  auto const& foreign = *find_foreign(Library::ml, "smoother: type");
  // Without any type ML's default is the symmetric Gauss-Seidel method.
  auto const entry = has_type ? list.getEntry(type)
                     : all.isParameter("smoother: type")
                         ? all.getEntry("smoother: type")
                         : Teuchos::ParameterEntry(std::string("symmetric Gauss-Seidel"));
  auto const found = translated_value(foreign, entry);
  auto const upper = upper_case(found.value);
  if (upper.find("GAUSS-SEIDEL") != std::string::npos && found.ours == "CHEBYSHEV") {
    polynomial_for(upper.find("SYMMETRIC") != std::string::npos, swept ? at.list.get<int>(sweeps) : 2,
                   place.path + type + " = " + found.value, place.values);
    return;
  }
  if (has_type) translate_as(foreign, type, place);
  if (!swept) return;
  if (found.ours == "RELAXATION") return translate_as(*find_foreign(Library::ml, general_sweeps), sweeps, at);
  if (upper == "MLS" || upper.find("CHEBYSHEV") != std::string::npos)
    return degree_of_ml(place, suffix, at, sweeps);
  if (!has_sweeps) return;
  bool const nothing = found.ours == "none";
  record(place, sweeps, nothing ? TranslationStatus::no_effect : TranslationStatus::no_counterpart, "",
         nothing ? "nothing is smoothed" : "the replacement of the smoother is applied once");
}

/// ML takes the degree from `smoother: polynomial order`, otherwise from `smoother: sweeps` in the list `at`.
void Translator::degree_of_ml(Place const& place, std::string const& suffix, Place const& at,
                              std::string const& sweeps) {
  for (auto const* order : {"smoother: MLS polynomial order", "smoother: polynomial order"})
    for (auto const& name : {order + suffix, std::string(order)})
      if (place.list.isParameter(name) || at.list.isParameter(name))
        return record(at, sweeps, TranslationStatus::no_effect, "",
                      core::message("`", name, "` is the degree"));
  translate_as(
      {{"smoother: sweeps"}, TranslationStatus::renamed, "chebyshev: degree", "ML's degree", {}, Library::ml},
      sweeps, at);
}

void Translator::translate_ml_entry(std::string const& name, std::string const& plain_name,
                                    Place const& place) {
  if (plain_name == "smoother: type" || plain_name == "smoother: sweeps") return;
  auto const* known = find_foreign(Library::ml, plain_name);
  bool const of_coarse = known == nullptr && plain_name.rfind("coarse: ", 0) == 0 &&
                         find_foreign(Library::ml, "smoother: " + plain_name.substr(8)) != nullptr;
  if (of_coarse)
    return record(place, name, TranslationStatus::no_effect, "", "the dense factorization has no parameters");
  if (known == nullptr) return unknown(Library::ml, name, place);
  bool const of_smoother = plain_name.rfind("smoother: ", 0) == 0 && plain_name != "smoother: pre or post";
  bool const wide = !of_smoother && name != plain_name;
  if (wide)
    return record(place, name, TranslationStatus::no_counterpart, "",
                  "levels may differ in their smoothers only");
  bool const first = plain_name == "smoother: Chebyshev alpha" || plain_name == "smoother: MLS alpha";
  if (first) set_value("chebyshev: algorithm", "first", place.values);
  translate_as(*known, name, place);
}

void Translator::read_ml(Teuchos::ParameterList const& list) {
  Place const top{list, "", values_[all_levels]};
  std::vector<std::pair<int, std::string>> suffixes{{all_levels, ""}};
  for (auto const& entry : list) {
    auto const& name = entry.first;
    auto const at = name.find(" (level ");
    int const level = at == std::string::npos ? all_levels : number_after(name, name.substr(0, at + 8), ")");
    if (at != std::string::npos && level < 0) {
      unknown(Library::ml, name, top);
      continue;
    }
    auto const foreign = name.substr(0, at);
    if (foreign == "smoother: list" && entry.second.isList()) {
      Place const inside{list.sublist(name), name + " -> ", values_[level]};
      for (auto const& one : inside.list) translate_ml_entry(one.first, one.first, inside);
      smoother_of_ml(inside, "", list);
      continue;
    }
    auto const suffix = name.substr(foreign.size());
    if (level >= 0 &&
        std::find(suffixes.begin(), suffixes.end(), std::make_pair(level, suffix)) == suffixes.end())
      suffixes.emplace_back(level, suffix);
    translate_ml_entry(name, foreign, {list, "", values_[level]});
  }
  for (auto const& [level, suffix] : suffixes) smoother_of_ml({list, "", values_[level]}, suffix, list);
}

void Translator::read_ifpack2(Teuchos::ParameterList const& list, std::string const& given) {
  auto const type = given.empty() ? type_by_names(list) : given;
  auto const found =
      translated_value(*find_foreign(Library::muelu, "smoother: type"), Teuchos::ParameterEntry(type));
  TESSERA_VALIDATE(found.ours == "CHEBYSHEV" || found.ours == "RELAXATION" || found.ours == "FSAI",
                   core::excerpt(list.name(), 300), ": ", type.empty() ? "the names do not determine" : type,
                   type.empty() ? " the preconditioner of Ifpack2; give \"Prec Type\""
                                : " is not a preconditioner of Ifpack2 that Tessera translates");
  auto& values = values_[all_levels];
  if (found.ours == "FSAI") {
    set_value("multigrid algorithm", "fsai", values);
  } else {
    set_value("max levels", "1", values);
    set_value("coarse: type", "smoother", values);
    set_value("coarse: sweeps", "1", values);
    set_value("smoother: type", found.ours, values);
  }
  entries_.push_back(
      {"Prec Type = " + type,
       found.status == TranslationStatus::no_counterpart ? TranslationStatus::no_counterpart
                                                         : TranslationStatus::renamed,
       found.ours == "FSAI" ? "multigrid algorithm = fsai" : "max levels = 1",
       found.ours == "FSAI"
           ? found.note
           : "the smoother alone; without `max levels` it is the smoother of a multigrid method"});
  smoother_parameters(found.ours, {list, "", values});
}

}  // namespace Tessera::parameters

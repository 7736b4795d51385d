// MueLu's lists of factories: "Factories" holds a sublist for each object, "Hierarchy" names those of each
// level. A factory's entries are parameters of the easy interface, or names of the factories whose results it
// takes.
#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/translator.hpp"
#include "settings/table.hpp"

namespace Tessera::parameters {
namespace {

using Teuchos::ParameterList;

/// A class of factories.
struct FactoryClass {
  TranslationStatus status;  ///< same: its parameters are translated
  std::string note;
  std::string parameter = {}, value = {};  ///< of the easy interface: what the presence of the factory means
};

std::map<std::string, FactoryClass> const& factory_classes() {
  using namespace rows;
  static std::map<std::string, FactoryClass> const all = [] {
    std::map<std::string, FactoryClass> known;
    for (auto const* name : {"TentativePFactory",
                             "SaPFactory",
                             "PgPFactory",
                             "EminPFactory",
                             "PatternFactory",
                             "ConstraintFactory",
                             "TransPFactory",
                             "RAPFactory",
                             "NullspaceFactory",
                             "CoarseMapFactory",
                             "AmalgamationFactory",
                             "UncoupledAggregationFactory",
                             "CoalesceDropFactory",
                             "CoordinatesTransferFactory",
                             "RepartitionHeuristicFactory",
                             "RepartitionInterface",
                             "CloneRepartitionInterface",
                             "NodePartitionInterface",
                             "ZoltanInterface",
                             "Zoltan2Interface",
                             "IsorropiaInterface",
                             "RebalanceTransferFactory",
                             "RebalanceAcFactory",
                             "FineLevelInputDataFactory",
                             "NoFactory",
                             "TrilinosSmoother",
                             "DirectSolver",
                             "NoSmoother"})
      known[name] = {same, ""};
    for (auto const* name :
         {"AggregationExportFactory", "CoarseningVisualizationFactory", "AggregateQualityEstimateFactory",
          "MatrixAnalysisFactory", "MultiVectorTransferFactory", "MapTransferFactory",
          "LocalOrdinalTransferFactory"})
      known[name] = {no_effect, "it writes or carries data that Tessera does not use"};
    known["FilteredAFactory"] = {same, "", "sa: use filtered matrix", "true"};
    known["RepartitionFactory"] = {same, "", "repartition: enable", "true"};
    known["NotayAggregationFactory"] = {same, "", "aggregation: type", "notay"};
    known["CoupledAggregationFactory"] = {same, "", "aggregation: type", "coupled"};
    known["BrickAggregationFactory"] = {same, "", "aggregation: type", "brick"};
    known["StructuredAggregationFactory"] = {same, "", "aggregation: type", "structured"};
    known["HybridAggregationFactory"] = {same, "", "aggregation: type", "hybrid"};
    known["UserAggregationFactory"] = {same, "", "aggregation: type", "user"};
    known["GenericRFactory"] = {no_counterpart, "restriction is P^T: for symmetric systems only"};
    known["LineDetectionFactory"] = {no_counterpart, "smoothers are of points, not of lines"};
    known["SemiCoarsenPFactory"] = {
        no_counterpart, "aggregates follow strong couplings, which in thin layers are the vertical ones"};
    for (auto const* name : {"TogglePFactory", "ToggleCoordinatesTransferFactory"})
      known[name] = {no_counterpart, "all levels have the same kind of prolongator"};
    for (auto const* name : {"GeneralGeometricPFactory", "GeometricInterpolationPFactory",
                             "IntrepidPCoarsenFactory", "RegionRFactory", "ClassicalPFactory",
                             "ClassicalMapFactory", "UserPFactory", "StructuredLineDetectionFactory"})
      known[name] = {no_counterpart, "prolongators are those of smoothed aggregation"};
    for (auto const* name :
         {"RAPShiftFactory", "ScaledNullspaceFactory", "NullspacePresmoothFactory",
          "VariableDofLaplacianFactory", "InitialBlockNumberFactory", "DropNegativeEntriesFactory",
          "InterfaceAggregationFactory", "InterfaceMappingTransferFactory", "UnsmooshFactory",
          "SmooVecCoalesceDropFactory"})
      known[name] = {no_counterpart, "Tessera makes neither this matrix nor these aggregates"};
    return known;
  }();
  return all;
}

std::string without_kokkos(std::string const& name) {
  std::string const ending = "_kokkos";
  bool const ends = name.size() > ending.size() && name.substr(name.size() - ending.size()) == ending;
  return ends ? name.substr(0, name.size() - ending.size()) : name;
}

/// Whether the class, which factory_classes() lacks, is one of MueLu's for block matrices.
bool is_for_blocks(std::string const& name) {
  for (auto const* part :
       {"Block", "BraessSarazin", "Schur", "Uzawa", "SimpleSmoother", "TekoSmoother", "SegregatedA"})
    if (name.find(part) != std::string::npos) return true;
  return false;
}

/// An object of the list.
struct Factory {
  std::string name;                     ///< in the list
  std::string class_name;               ///< without _kokkos
  ParameterList const* list = nullptr;  ///< null: it has only defaults
};

/// The entries of MueLu's classes that neither refer to a factory nor are parameters of the easy interface.
bool is_own_entry(std::string const& name) {
  static std::set<std::string> const all{"factory",
                                         "type",
                                         "ParameterList",
                                         "overlap",
                                         "verbose",
                                         "write start",
                                         "write end",
                                         "useSubcomm",
                                         "startLevel",
                                         "numDesiredLevel",
                                         "lightweight wrap",
                                         "Keep AP Pattern",
                                         "Keep RAP Pattern",
                                         "CheckMainDiagonal",
                                         "RepairMainDiagonal",
                                         "Fixed Stridding"};
  return all.count(name) > 0;
}

}  // namespace

/// The factories of a list and the use that its levels make of them.
class Translator::FactoryList {
 public:
  FactoryList(ParameterList const& list, std::vector<std::string>& problems)
      : factories_(list.isSublist("Factories") ? list.sublist("Factories") : nothing()), problems_(problems) {
    for (auto const& entry : list.sublist("Hierarchy"))
      if (entry.second.isList() && entry.first != "DataToWrite" && entry.first != "matvec params")
        add_levels(list.sublist("Hierarchy").sublist(entry.first));
    for (auto const* of_level : levels_) walk(*of_level);
    while (!waiting_.empty()) {
      auto const factory = waiting_.back();
      waiting_.pop_back();
      if (factory.list != nullptr) walk(*factory.list);
    }
  }

  /// Those that a level uses, each after the first that refers to it.
  std::vector<Factory> const& used() const { return used_; }

  bool uses(std::string const& class_name) const {
    return std::any_of(used_.begin(), used_.end(),
                       [&](auto const& one) { return one.class_name == class_name; });
  }

  std::vector<std::string> unused() const {
    std::vector<std::string> names;
    for (auto const& entry : factories_)
      if (seen_.count(entry.first) == 0 && factories_.isSublist(entry.first) &&
          factories_.sublist(entry.first).isParameter("factory"))
        names.push_back(entry.first);
    return names;
  }

  /// The last one also describes all coarser levels.
  std::vector<ParameterList const*> const& levels() const { return levels_; }

  /// The factory that an entry names or is; empty class: none.
  Factory factory(ParameterList const& list, std::string const& entry) {
    if (list.isSublist(entry)) return of_list(entry, list.sublist(entry));
    if (!list.isType<std::string>(entry)) return {};
    auto const name = list.get<std::string>(entry);
    if (factories_.isSublist(name)) return of_list(name, factories_.sublist(name));
    auto const class_name = without_kokkos(name);
    if (factory_classes().count(class_name) > 0) return {name, class_name, nullptr};
    std::vector<std::string> names;
    for (auto const& one : factories_) names.push_back(one.first);
    for (auto const& one : factory_classes()) names.push_back(one.first);
    report(where(list, entry) + " refers to \"" + core::excerpt(name) +
           "\", which is no factory of this list" + hint(name, names));
    return {};
  }

 private:
  static ParameterList const& nothing() {
    static ParameterList const none;
    return none;
  }

  void report(std::string const& problem) {
    if (std::find(problems_.begin(), problems_.end(), problem) == problems_.end())
      problems_.push_back(problem);
  }

  /// As MueLu does: one level from "startLevel" on, or "numDesiredLevel".
  void add_levels(ParameterList const& list) {
    auto const number = [&](char const* name, int standard, int least) {
      if (!list.isParameter(name)) return standard;
      bool const fits =
          list.isType<int>(name) && list.get<int>(name) >= least && list.get<int>(name) <= most_levels;
      if (!fits)
        report(where(list, name) + core::message(" must be an int from ", least, " to ", most_levels));
      return fits ? list.get<int>(name) : standard;
    };
    auto const first = static_cast<std::size_t>(number("startLevel", 0, 0));
    auto const count = static_cast<std::size_t>(number("numDesiredLevel", 1, 1));
    if (first + count > most_levels) {
      report(where(list, "startLevel") + core::message(": levels count to ", most_levels));
      return;
    }
    levels_.resize(std::max(levels_.size(), first + count), &list);
    std::fill_n(levels_.begin() + static_cast<std::ptrdiff_t>(first), count, &list);
  }

  Factory of_list(std::string const& name, ParameterList const& list) {
    auto const given = list.isType<std::string>("factory") ? list.get<std::string>("factory") : "";
    auto const class_name = without_kokkos(given);
    if (factory_classes().count(class_name) > 0) return {name, class_name, &list};
    std::vector<std::string> known;
    for (auto const& one : factory_classes()) known.push_back(one.first);
    if (is_for_blocks(given) || list.isParameter("group")) {
      report(where(list, "factory") +
             " is for block matrices; translate the lists of the blocks, and take Teko for the system");
    } else {
      report(where(list, "factory") + (given.empty()
                                           ? " is not given"
                                           : " is \"" + core::excerpt(given) +
                                                 "\", which is no factory of MueLu" + hint(given, known)));
    }
    return {};
  }

  /// Puts the factories that a list refers to into used_.
  void walk(ParameterList const& list) {
    for (auto const& entry : list) {
      auto const& name = entry.first;
      bool const refers = entry.second.isType<std::string>() && !is_own_entry(name) &&
                          find_foreign(Library::muelu, name) == nullptr;
      if (name == "TransferFactories" && entry.second.isList()) walk(list.sublist(name));
      bool const defined_here = entry.second.isList() && list.sublist(name).isParameter("factory");
      if (!refers && !defined_here) continue;
      auto const found = factory(list, name);
      if (found.class_name.empty() || !seen_.insert(found.name).second) continue;
      used_.push_back(found);
      waiting_.push_back(found);
    }
  }

  ParameterList const& factories_;
  std::vector<std::string>& problems_;
  std::vector<ParameterList const*> levels_;
  std::vector<Factory> used_, waiting_;
  std::set<std::string> seen_;
};

void Translator::translate_meaning(std::string const& name, std::string const& value,
                                   std::string const& path) {
  ParameterList list("Factories");
  list.set(name, value);
  if (value == "true" || value == "false") list.set(name, value == "true");
  translate_entry(Library::muelu, name, {list, path, values_[all_levels]});
}

void Translator::factory_of_muelu(std::string const& name, std::string const& class_name,
                                  ParameterList const& list) {
  Place const place{list, "Factories -> " + name + " -> ", values_[all_levels]};
  auto const& known = factory_classes().at(class_name);
  if (known.status != TranslationStatus::same)
    entries_.push_back({"Factories -> " + name + " (" + class_name + ")", known.status, "", known.note});
  if (!known.parameter.empty()) translate_meaning(known.parameter, known.value, place.path);
  for (auto const& entry : list) {
    bool const parameter = find_foreign(Library::muelu, entry.first) != nullptr;
    bool const refers = entry.second.isType<std::string>() || entry.first == "TransferFactories";
    if (entry.first == "smoother: pre or post") {
      record(place, entry.first, TranslationStatus::no_effect, "",
             "MueLu's factories smooth before and after");
    } else if (parameter) {
      translate_entry(Library::muelu, entry.first, place);
    } else if (!is_own_entry(entry.first) && !refers) {
      unknown(Library::muelu, entry.first, place);
    }
  }
}

/// The smoother of the coarsest given level is that of all levels; others that differ have sublists.
void Translator::smoothers_of_factories(FactoryList& factories) {
  auto const& levels = factories.levels();
  auto const smoother = [&](std::size_t level) {
    auto const& list = *levels[level];
    auto const* const entry = list.isParameter("PreSmoother") ? "PreSmoother" : "Smoother";
    return list.isParameter(entry) ? factories.factory(list, entry) : Factory{};
  };
  static ParameterList const nothing;
  auto const last = smoother(levels.size() - 1);
  for (std::size_t level = 0; level < levels.size(); ++level) {
    bool const general = level + 1 == levels.size();
    auto const own = smoother(level);
    if (!general && own.name == last.name) continue;
    auto const path = (general ? "" : "level " + std::to_string(level) + " -> ") + own.name;
    if (levels[level]->isParameter("PostSmoother") &&
        factories.factory(*levels[level], "PostSmoother").name != own.name)
      entries_.push_back({path + ", PostSmoother", TranslationStatus::no_counterpart, "the one before",
                          "for both: CG needs a symmetric cycle, with the same smoother before and after"});
    if (own.class_name == "TrilinosSmoother") {
      auto& values = values_[general ? all_levels : static_cast<int>(level)];
      smoother_of_muelu("type", "ParameterList",
                        {own.list != nullptr ? *own.list : nothing, path + " -> ", values});
    } else if (own.class_name == "NoSmoother" && general) {
      set_value("smoother: pre or post", "none", values_[all_levels]);
    } else if (!own.class_name.empty() || !general) {
      entries_.push_back(
          {core::message("level ", level, " -> ", own.class_name.empty() ? "no Smoother" : own.class_name),
           TranslationStatus::no_counterpart, "", "the smoother of the other levels"});
    }
  }
  auto const& coarsest = *levels.back();
  auto const solver =
      coarsest.isParameter("CoarseSolver") ? factories.factory(coarsest, "CoarseSolver") : Factory{};
  if (solver.list == nullptr || !solver.list->isParameter("type")) return;
  auto foreign = *find_foreign(Library::muelu, "coarse: type");
  foreign.ours = "coarse: type";
  translate_as(foreign, "type", {*solver.list, "CoarseSolver " + solver.name + " -> ", values_[all_levels]});
}

void Translator::read_factories(ParameterList const& list) {
  TESSERA_VALIDATE(list.isSublist("Hierarchy"), where(list, "Hierarchy"),
                   " is not given; a list of MueLu's factories names there what each level uses");
  auto& values = values_[all_levels];
  auto const& hierarchy = list.sublist("Hierarchy");
  for (auto const& entry : list) {
    auto const& name = entry.first;
    if (name == "Factories" || name == "Hierarchy") continue;
    if (name == "Matrix" && entry.second.isList()) {
      Place const place{list.sublist(name), "Matrix -> ", values};
      for (auto const& of_matrix : place.list) {
        if (of_matrix.first == "PDE equations") {
          translate_entry(Library::ml, of_matrix.first, place);
        } else {
          record(place, of_matrix.first, TranslationStatus::no_effect, "", "nodes follow the row map");
        }
      }
    } else if (name == "user data" && entry.second.isList()) {
      user_data_ = list.sublist(name);
    } else {
      record({list, "", values}, name, TranslationStatus::no_effect, "",
             "MueLu reads Matrix, Factories and Hierarchy only");
    }
  }
  std::set<std::string> const of_output{"DataToWrite", "dependencyOutputLevel", "reuse", "numDesiredLevel"};
  for (auto const& entry : hierarchy) {
    Place const place{hierarchy, "Hierarchy -> ", values};
    if (of_output.count(entry.first) > 0) {
      record(place, entry.first, TranslationStatus::no_effect, "",
             "controls output that Tessera does not write");
    } else if (!entry.second.isList() || entry.first == "matvec params") {
      translate_entry(Library::muelu, entry.first, place);
    }
  }
  FactoryList factories(list, problems_);
  TESSERA_VALIDATE(!factories.levels().empty(), where(list, "Hierarchy"),
                   " has no sublist of a level; give one with the factories of all levels");
  static ParameterList const nothing;
  for (auto const& one : factories.used())
    factory_of_muelu(one.name, one.class_name, one.list != nullptr ? *one.list : nothing);
  bool const plain = factories.uses("TentativePFactory") && !factories.uses("SaPFactory") &&
                     !factories.uses("SemiCoarsenPFactory");
  auto const* const algorithm = factories.uses("EminPFactory") ? "emin"
                                : factories.uses("PgPFactory") ? "pg"
                                : plain                        ? "unsmoothed"
                                                               : "";
  std::string const path = "Factories -> ";
  if (*algorithm != '\0') translate_meaning("multigrid algorithm", algorithm, path);
  bool const drops = values.count(names().at(drop_tolerance_name).row) > 0;
  if (factories.uses("SaPFactory") && drops && !factories.uses("FilteredAFactory"))
    translate_meaning("sa: use filtered matrix", "false", path);
  smoothers_of_factories(factories);
  for (auto const& name : factories.unused())
    entries_.push_back({"Factories -> " + name, TranslationStatus::no_effect, "", "no level uses it"});
}

}  // namespace Tessera::parameters

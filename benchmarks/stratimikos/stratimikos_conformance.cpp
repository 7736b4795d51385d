/// \file
/// What a preconditioner of Stratimikos' promises, rule by rule: any type, Tessera's, MueLu's, Ifpack2's.
///
///     stratimikos_conformance --xml xml_params/sa_amg.xml xml_params/ifpack2_riluk.xml [--json FILE]
///
/// The matrix is the five-point Laplacian of 30 x 30 points; where there are several ranks the last one has
/// no rows. Every rule uses the interfaces of Thyra alone. Prints a line a rule: yes, no, or what was thrown.
/// Exit status 0 however they end.
#include <CLI/CLI.hpp>
#include <Stratimikos_DefaultLinearSolverBuilder.hpp>
#include <Teuchos_AbstractFactoryStd.hpp>
#include <Thyra_Ifpack2PreconditionerFactory.hpp>
#include <Thyra_LinearOpTester.hpp>
#include <Thyra_PreconditionerFactoryHelpers.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>
#include <Tpetra_Core.hpp>
#include <cmath>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "Tessera_ReadXml.hpp"
#include "Tessera_StratimikosHelpers.hpp"
#if defined(TESSERA_HAVE_MUELU)
#include <Stratimikos_MueLuHelpers.hpp>
#endif

namespace {

using Teuchos::ParameterList;
using Teuchos::RCP;
using Teuchos::rcp;
using Map = Tpetra::Map<int, long long>;
using CrsMatrix = Tpetra::CrsMatrix<double, int, long long>;
using MultiVector = Tpetra::MultiVector<double, int, long long>;
using Operator = Tpetra::Operator<double, int, long long>;
using Factory = Thyra::PreconditionerFactoryBase<double>;
using Values = std::vector<double>;
using Json = nlohmann::ordered_json;

constexpr int side = 30;

RCP<CrsMatrix> laplacian(RCP<Map const> const& map, double shift = 0) {
  auto A = rcp(new CrsMatrix(map, 5));
  for (int local = 0; map->isNodeLocalElement(local); ++local) {
    long long const row = map->getGlobalElement(local), i = row % side, j = row / side;
    std::vector<long long> columns{row};
    Values values{4 + shift};
    for (auto const& [inside, column] : std::vector<std::pair<bool, long long>>{
             {i > 0, row - 1}, {i + 1 < side, row + 1}, {j > 0, row - side}, {j + 1 < side, row + side}}) {
      if (!inside) continue;
      columns.push_back(column);
      values.push_back(-1);
    }
    A->insertGlobalValues(row, static_cast<int>(columns.size()), values.data(), columns.data());
  }
  A->fillComplete();
  return A;
}

struct Made {
  RCP<Factory> factory;
  RCP<Thyra::LinearOpBase<double> const> A;
  RCP<Thyra::PreconditionerBase<double>> preconditioner;
  Thyra::LinearOpBase<double> const& M() const { return *preconditioner->getUnspecifiedPrecOp(); }
};

RCP<Thyra::LinearOpBase<double> const> as_thyra(RCP<CrsMatrix const> const& A) {
  return Thyra::createConstLinearOp<double, int, long long>(RCP<Operator const>(A));
}

class Subject {
 public:
  explicit Subject(RCP<ParameterList> const& list) : list_(list) {
    auto const comm = Tpetra::getDefaultComm();
    int const holders = std::max(1, comm->getSize() - 1), rank = comm->getRank();
    long long const n = side * side, first = rank < holders ? n * rank / holders : n;
    long long const end = rank < holders ? n * (rank + 1) / holders : n;
    map = rcp(new Map(n, static_cast<std::size_t>(end - first), 0, comm));
    A = laplacian(map);
  }

  std::string type() const { return list_->get<std::string>("Preconditioner Type"); }
  ParameterList own() const { return list_->sublist("Preconditioner Types").sublist(type()); }

  /// A factory that has got the preconditioner's parameters.
  static RCP<Factory> factory(std::string const& type, ParameterList const& own) {
    Stratimikos::DefaultLinearSolverBuilder builder;
    Stratimikos::enableTessera(builder);
    builder.setPreconditioningStrategyFactory(
        Teuchos::abstractFactoryStd<
            Factory, Thyra::Ifpack2PreconditionerFactory<Tpetra::CrsMatrix<double, int, long long>>>(),
        "Ifpack2");
#if defined(TESSERA_HAVE_MUELU)
    Stratimikos::enableMueLu<int, long long>(builder);
#endif
    auto const list = rcp(new ParameterList("Stratimikos"));
    list->set("Preconditioner Type", type);
    list->sublist("Preconditioner Types").sublist(type).setParameters(own);
    builder.setParameterList(list);
    return builder.createPreconditioningStrategy("");
  }

  Made made(RCP<CrsMatrix const> const& matrix) const {
    Made made{factory(type(), own()), as_thyra(matrix), Teuchos::null};
    made.preconditioner = made.factory->createPrec();
    Thyra::initializePrec<double>(*made.factory, made.A, made.preconditioner.ptr());
    return made;
  }

  /// Each row a number of its own.
  RCP<MultiVector> waves(int columns) const {
    auto X = rcp(new MultiVector(map, static_cast<std::size_t>(columns)));
    for (int c = 0; c < columns; ++c)
      for (int i = 0; map->isNodeLocalElement(i); ++i)
        X->replaceLocalValue(i, c,
                             std::sin(1.0 + static_cast<double>(map->getGlobalElement(i) * (c + 1))) + 0.1);
    return X;
  }

  /// Y = beta Y + alpha M X.
  static void apply(Made const& made, RCP<MultiVector const> const& X, RCP<MultiVector> const& Y,
                    double alpha = 1, double beta = 0) {
    auto const y = Thyra::createMultiVector<double, int, long long>(Y);
    Thyra::apply(made.M(), Thyra::NOTRANS, *Thyra::createConstMultiVector<double, int, long long>(X), y.ptr(),
                 alpha, beta);
  }
  Values applied(Made const& made, int columns = 1) const {
    auto const Y = rcp(new MultiVector(map, static_cast<std::size_t>(columns)));
    apply(made, waves(columns), Y);
    return values(*Y);
  }
  static Values values(MultiVector const& X) {
    Values all;
    for (std::size_t c = 0; c < X.getNumVectors(); ++c) {
      auto const column = X.getData(c);
      all.insert(all.end(), column.begin(), column.end());
    }
    return all;
  }

  RCP<Map const> map;
  RCP<CrsMatrix> A;

 private:
  RCP<ParameterList> list_;
};

bool near(Values const& a, Values const& b, double tolerance) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= tolerance * (1 + std::abs(a[i])))) return false;
  return a.size() == b.size();
}

template <class Work>
bool throws(Work const& work) {
  try {
    work();
  } catch (std::exception const&) {
    return true;
  }
  return false;
}

/// By Thyra's tester, to 1e-4: levels may be in float.
bool tested(Subject const& subject, bool linear, bool symmetric) {
  auto const made = subject.made(subject.A);
  Thyra::LinearOpTester<double> tester;
  tester.set_all_error_tol(1e-4);
  tester.set_all_warning_tol(1e-4);
  tester.num_random_vectors(2);
  tester.check_adjoint(false);
  tester.check_linear_properties(linear);
  tester.check_for_symmetry(symmetric);
  std::ostringstream words;
  return tester.check(made.M(), Teuchos::getFancyOStream(Teuchos::rcpFromRef(words)).ptr());
}

/// What describe() prints.
std::string described(Teuchos::Describable const& it, Teuchos::EVerbosityLevel level) {
  std::ostringstream text;
  Teuchos::FancyOStream out(Teuchos::rcpFromRef(text));
  it.describe(out, level);
  return text.str();
}

/// The list with a parameter more.
bool refused(Subject const& subject, std::function<void(ParameterList&)> const& change) {
  auto own = subject.own();
  change(own);
  return throws([&] {
    auto const factory = Subject::factory(subject.type(), own);
    auto const M = factory->createPrec();
    Thyra::initializePrec<double>(*factory, as_thyra(subject.A), M.ptr());
  });
}

struct Rule {
  char const* name;
  std::function<bool(Subject const&)> holds;
};

std::vector<Rule> rules_of_factories() {
  return {
      {"isCompatible() is true of a Tpetra matrix",
       [](Subject const& s) {
         return Subject::factory(s.type(), s.own())
             ->isCompatible(*Thyra::defaultLinearOpSource<double>(as_thyra(s.A)));
       }},
      {"createPrec() gives an empty preconditioner",
       [](Subject const& s) {
         return Subject::factory(s.type(), s.own())->createPrec()->getUnspecifiedPrecOp().is_null();
       }},
      {"getValidParameters() documents parameters",
       [](Subject const& s) {
         auto const valid = Subject::factory(s.type(), s.own())->getValidParameters();
         return !valid.is_null() && valid->numParams() > 0 &&
                !valid->entry(valid->begin()).docString().empty();
       }},
      {"the list stays as it is",
       [](Subject const& s) {
         auto const own = rcp(new ParameterList(s.own()));
         auto const before = *own;
         auto const factory = Subject::factory(s.type(), *own);
         factory->setParameterList(own);
         auto const M = factory->createPrec();
         Thyra::initializePrec<double>(*factory, as_thyra(s.A), M.ptr());
         return Teuchos::haveSameValues(*own, before);
       }},
      {"a parameter that is not known is refused",
       [](Subject const& s) { return refused(s, [](auto& own) { own.set("no such parameter", 1); }); }},
      {"a parameter of another type is refused",
       [](Subject const& s) {
         return refused(
             s, [&](auto& own) { own.set(s.type() == "Ifpack2" ? "Overlap" : "max levels", "many"); });
       }},
      {"uninitializePrec() gives the matrix back",
       [](Subject const& s) {
         auto const made = s.made(s.A);
         RCP<Thyra::LinearOpSourceBase<double> const> source;
         made.factory->uninitializePrec(made.preconditioner.get(), &source);
         return !source.is_null() && source->getOp().getRawPtr() == made.A.getRawPtr();
       }},
  };
}

std::vector<Rule> rules_of_operators() {
  return {
      {"domain and range are the matrix'",
       [](Subject const& s) {
         auto const made = s.made(s.A);
         return made.M().domain()->isCompatible(*made.A->domain()) &&
                made.M().range()->isCompatible(*made.A->range());
       }},
      {"it is linear (Thyra::LinearOpTester)", [](Subject const& s) { return tested(s, true, false); }},
      {"it is symmetric (Thyra::LinearOpTester)", [](Subject const& s) { return tested(s, false, true); }},
      {"Y = alpha M X + beta Y",
       [](Subject const& s) {
         auto const made = s.made(s.A);
         auto const Y = rcp(new MultiVector(s.map, 1));
         Y->putScalar(2);
         Subject::apply(made, s.waves(1), Y, 3, 0.5);
         auto expected = s.applied(made);
         for (auto& value : expected) value = 1 + 3 * value;
         return near(Subject::values(*Y), expected, 1e-12);
       }},
      {"beta = 0 overwrites NaN in Y",
       [](Subject const& s) {
         auto const made = s.made(s.A);
         auto const Y = rcp(new MultiVector(s.map, 1));
         Y->putScalar(std::nan(""));
         Subject::apply(made, s.waves(1), Y);
         return near(Subject::values(*Y), s.applied(made), 1e-14);
       }},
      {"alpha = 0 ignores NaN in X",
       [](Subject const& s) {
         auto const X = rcp(new MultiVector(s.map, 1)), Y = rcp(new MultiVector(s.map, 1));
         X->putScalar(std::nan(""));
         Y->putScalar(4);
         Subject::apply(s.made(s.A), X, Y, 0, 0.5);
         return Subject::values(*Y) == Values(Y->getLocalLength(), 2.0);
       }},
      {"columns are bitwise what they are alone",
       [](Subject const& s) {
         auto const made = s.made(s.A);
         auto const X = s.waves(5), Y = rcp(new MultiVector(s.map, 5));
         Subject::apply(made, X, Y);
         bool same = true;  // no rank leaves the others alone
         for (std::size_t c = 0; c < 5; ++c) {
           auto const y = rcp(new MultiVector(s.map, 1));
           Subject::apply(made, X->getVector(c), y);
           same = Subject::values(*y) == Subject::values(*Y->getVector(c)) && same;
         }
         return same;
       }},
      {"two applications are bitwise equal",
       [](Subject const& s) {
         auto const made = s.made(s.A);
         return s.applied(made) == s.applied(made);
       }},
      {"two setups are bitwise equal",
       [](Subject const& s) { return s.applied(s.made(s.A)) == s.applied(s.made(s.A)); }},
      {"transposes are what opSupported() says",
       [](Subject const& s) {
         auto const made = s.made(s.A);
         auto const x =
             Thyra::createConstMultiVector<double, int, long long>(RCP<MultiVector const>(s.waves(1)));
         auto const y = Thyra::createMultiVector<double, int, long long>(rcp(new MultiVector(s.map, 1)));
         bool const there = !throws([&] { Thyra::apply(made.M(), Thyra::TRANS, *x, y.ptr()); });
         return there == Thyra::opSupported(made.M(), Thyra::TRANS);
       }},
      {"description() is one line",
       [](Subject const& s) {
         auto const text = s.made(s.A).M().description();
         return !text.empty() && text.find('\n') == std::string::npos;
       }},
      {"describe() says more the more is asked for",
       [](Subject const& s) {
         auto const made = s.made(s.A);
         std::size_t last = 0;
         bool grows = true;
         for (auto const level :
              {Teuchos::VERB_LOW, Teuchos::VERB_MEDIUM, Teuchos::VERB_HIGH, Teuchos::VERB_EXTREME}) {
           auto const size = described(made.M(), level).size();
           grows = size >= last && grows;
           last = size;
         }
         return grows && (last > 0 || s.map->getComm()->getRank() > 0);
       }},
  };
}

/// The value of A's last diagonal entry becomes another one.
RCP<CrsMatrix> with_diagonal(Subject const& s, double value) {
  auto const A = laplacian(s.map);
  A->resumeFill();
  long long const row = side * side - 1;
  if (s.map->isNodeGlobalElement(row)) A->replaceGlobalValues(row, 1, &value, &row);
  A->fillComplete();
  return A;
}

std::vector<Rule> rules_of_matrices() {
  return {
      {"initialising again with the same matrix changes nothing",
       [](Subject const& s) {
         auto const made = s.made(s.A);
         auto const before = s.applied(made);
         Thyra::initializePrec<double>(*made.factory, made.A, made.preconditioner.ptr());
         return s.applied(made) == before;
       }},
      {"initialising with another matrix gives bitwise what a new one is",
       [](Subject const& s) {
         auto const made = s.made(s.A);
         auto const B = laplacian(s.map, 1);
         Thyra::initializePrec<double>(*made.factory, as_thyra(B), made.preconditioner.ptr());
         return s.applied(made) == s.applied(s.made(B));
       }},
      {"initialising again follows values that changed in place",
       [](Subject const& s) {
         auto const A = laplacian(s.map);
         auto const made = s.made(A);
         A->resumeFill();
         A->scale(4);
         A->fillComplete();
         Thyra::initializePrec<double>(*made.factory, made.A, made.preconditioner.ptr());
         auto expected = s.applied(s.made(s.A));
         for (auto& value : expected) value /= 4;
         return near(s.applied(made), expected, 1e-10);
       }},
      {"a zero on the diagonal is refused",
       [](Subject const& s) { return throws([&] { s.made(with_diagonal(s, 0)); }); }},
      {"NaN in the matrix is refused",
       [](Subject const& s) { return throws([&] { s.made(with_diagonal(s, std::nan(""))); }); }},
  };
}

/// The same on all ranks: yes where it holds on each.
std::string outcome(Rule const& rule, Subject const& subject) {
  int holds = 0;
  std::string text;
  try {
    holds = rule.holds(subject) ? 1 : 0;
  } catch (std::exception const& error) {
    holds = -1;
    text = error.what();
  }
  int least = 0;
  Teuchos::reduceAll(*subject.map->getComm(), Teuchos::REDUCE_MIN, holds, Teuchos::outArg(least));
  if (least < 0) std::cerr << rule.name << ": " << text << "\n";
  return least > 0 ? "yes" : least == 0 ? "no" : "throws";
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> lists;
  std::string json;
  CLI::App app("Checks preconditioners of Stratimikos' rule by rule.");
  app.add_option("--xml", lists, "lists for Stratimikos")->required();
  app.add_option("--json", json, "where results go");
  CLI11_PARSE(app, argc, argv);
  Tpetra::ScopeGuard const scope(&argc, &argv);
  auto const comm = Tpetra::getDefaultComm();
  bool const speaks = comm->getRank() == 0;
  Json preconditioners = Json::array();
  for (auto const& xml : lists) {
    Subject const subject(Tessera::readXml(xml, *comm));
    if (speaks) std::cout << xml << "\n";
    Json results = Json::object();
    for (auto const& rules : {rules_of_factories(), rules_of_operators(), rules_of_matrices()}) {
      for (auto const& rule : rules) {
        auto const said = outcome(rule, subject);
        if (speaks) std::cout << "  " << said << "\t" << rule.name << std::endl;
        results[rule.name] = said;
      }
    }
    preconditioners.push_back({{"preconditioner", subject.type()}, {"xml", xml}, {"rules", results}});
  }
  if (!json.empty() && speaks)
    std::ofstream(json) << Json{{"ranks", comm->getSize()}, {"preconditioners", preconditioners}}.dump(1)
                        << "\n";
  return 0;
}

// Strict XML: mistakes that Teuchos' reader accepts are refused with file and line, on all ranks.
#include <gtest/gtest.h>
#include <unistd.h>

#include <Teuchos_DefaultMpiComm.hpp>
#include <fstream>

#include "failure.hpp"
#include "parameters/xml.hpp"

namespace Tessera::parameters {
namespace {

using test::contains;
using test::failure;

/// A list with these lines; the first is line 2.
std::string list(std::string const& lines) {
  return "<ParameterList name=\"Test\">\n" + lines + "\n</ParameterList>\n";
}

Teuchos::RCP<Teuchos::ParameterList> parsed(std::string const& lines) {
  return parse_xml(list(lines), "a.xml");
}

TEST(Xml, AValidListIsRead) {
  auto const read = parsed(
      "<!-- a comment with <Parameter/> in it -->\n"
      "<Parameter name=\"n\" type=\"int\" value=\"3\"/>\n"
      "<Parameter name=\"x\" type=\"double\" value=\" 1e-8 \"/>\n"
      "<Parameter name=\"flag\" type=\"bool\" value=\"false\"/>\n"
      "<Parameter name=\"text\" type=\"string\" value=\"a > b\"/>\n"
      "<ParameterList name=\"inner\"><Parameter name=\"n\" type=\"int\" value=\"-4\"/></ParameterList>");
  EXPECT_EQ(read->name(), "a.xml");
  EXPECT_EQ(read->get<int>("n"), 3);
  EXPECT_EQ(read->get<double>("x"), 1e-8);
  EXPECT_FALSE(read->get<bool>("flag"));
  EXPECT_EQ(read->get<std::string>("text"), "a > b");
  EXPECT_EQ(read->sublist("inner").get<int>("n"), -4);
  EXPECT_EQ(read->sublist("inner").name(), "a.xml->inner");
}

TEST(Xml, LinesOfTagsAreCountedThroughCommentsAndQuotes) {
  EXPECT_EQ(xml_lines("<a\n x='>\n'>\n<!-- <b>\n -->\n<c/>\n</a><?p <d> ?>\n<e/>").tags,
            (std::vector<int>{1, 6, 8}));
}

TEST(Xml, DuplicateParametersAreRefusedWithBothLines) {
  EXPECT_REFUSED(parsed("<Parameter name=\"n\" type=\"int\" value=\"3\"/>\n"
                        "<Parameter name=\"n\" type=\"int\" value=\"4\"/>"),
                 "a.xml:3", "a.xml:2", "\"n\"");
}

TEST(Xml, DuplicateSublistsAreRefused) {
  EXPECT_REFUSED(parsed("<ParameterList name=\"s\"/>\n\n<ParameterList name=\"s\"/>"), "a.xml:4", "a.xml:2");
}

TEST(Xml, IntsWithTailsAreRefused) {
  for (auto const* value : {"3x", "2.7", "abc", "", "1e3", "99999999999"}) {
    EXPECT_REFUSED(parsed(std::string("<Parameter name=\"n\" type=\"int\" value=\"") + value + "\"/>"),
                   "a.xml:2", "\"n\"", "int");
  }
}

TEST(Xml, InvalidDoublesAreRefused) {
  for (auto const* value : {"abc", "1e-8x", "", "1,5", "nan", "0x10", "1e999"}) {
    EXPECT_REFUSED(parsed(std::string("\n<Parameter name=\"x\" type=\"double\" value=\"") + value + "\"/>"),
                   "a.xml:3", "\"x\"", "double");
  }
}

TEST(Xml, OtherSpellingsOfTrueAreRefused) {
  for (auto const* value : {"yes", "True", "1", "on", ""}) {
    EXPECT_REFUSED(parsed(std::string("<Parameter name=\"b\" type=\"bool\" value=\"") + value + "\"/>"),
                   "a.xml:2", "true or false");
  }
}

TEST(Xml, UnknownTypesAreRefusedWithASuggestion) {
  EXPECT_REFUSED(parsed("<Parameter name=\"n\" type=\"Double\" value=\"3\"/>"), "a.xml:2", "\"double\"");
  EXPECT_REFUSED(parsed("<Parameter name=\"n\" type=\"integer\" value=\"3\"/>"), "a.xml:2",
                 "int, double, bool");
}

TEST(Xml, MissingAttributesAreRefused) {
  EXPECT_REFUSED(parsed("<Parameter name=\"n\" value=\"3\"/>"), "a.xml:2", "without type");
  EXPECT_REFUSED(parsed("<Parameter type=\"int\" value=\"3\"/>"), "a.xml:2", "without name");
  EXPECT_REFUSED(parsed("<Parameter name=\"n\" type=\"int\" Value=\"3\"/>"), "a.xml:2", "\"value\"");
  EXPECT_REFUSED(parsed("<ParameterList><Parameter name=\"n\" type=\"int\" value=\"3\"/></ParameterList>"),
                 "a.xml:2", "without a name");
}

TEST(Xml, UnknownTagsAreRefused) {
  EXPECT_REFUSED(parsed("<Paramter name=\"n\" type=\"int\" value=\"3\"/>"), "a.xml:2", "<Paramter>");
  EXPECT_REFUSED(parse_xml("<Solver/>", "a.xml"), "a.xml:1", "<Solver>", "<ParameterList>");
}

TEST(Xml, MalformedXmlIsRefusedWithItsName) {
  EXPECT_REFUSED(parse_xml("<ParameterList>\n<Parameter name=\"n\"\n</ParameterList>", "a.xml"), "a.xml",
                 "not well-formed", "line 3");
  EXPECT_REFUSED(parse_xml("<ParameterList>", "a.xml"), "a.xml", "not well-formed");
  EXPECT_REFUSED(parse_xml("", "a.xml"), "a.xml", "empty");
  EXPECT_REFUSED(parse_xml("no xml at all", "a.xml"), "a.xml", "not well-formed");
}

TEST(Xml, TextBetweenTagsIsRefused) {
  EXPECT_REFUSED(parsed("# <Parameter name=\"n\" type=\"int\" value=\"3\"/>"), "a.xml:2", "\"#\"", "<!--");
  EXPECT_REFUSED(parsed("<Parameter name=\"n\" type=\"int\" value=\"3\"/>;\n\n<!-- -->\n  tail\n "),
                 "a.xml:2", "\";\"", "a.xml:5", "\"tail\"");
  EXPECT_REFUSED(parsed("<Parameter name=\"n\" type=\"int\" value=\"3\">4</Parameter>"), "a.xml:2", "\"4\"");
}

TEST(Xml, AStrayBracketIsAWarning) {
  std::vector<std::string> warnings;
  auto const read =
      parse_xml(list("<Parameter name=\"n\" type=\"int\" value=\"3\"/>>\n >"), "a.xml", &warnings);
  EXPECT_EQ(read->get<int>("n"), 3);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(contains(warnings[0], "a.xml:2")) << warnings[0];
  EXPECT_REFUSED(parsed("<Parameter name=\"n\" type=\"int\" value=\"3\"/>>\n tail"), "a.xml:2", "\">\"");
}

TEST(Xml, AParameterHoldsNoElements) {
  EXPECT_REFUSED(parsed("<Parameter name=\"n\" type=\"int\" value=\"3\">\n"
                        "<Parameter name=\"m\" type=\"int\" value=\"4\"/></Parameter>"),
                 "a.xml:2", "\"n\"", "holds none");
}

TEST(Xml, BytesThatAreNoCharactersOfXmlAreRefused) {
  using namespace std::string_literals;
  auto const comment = [](std::string const& bytes) { return parsed("\n<!-- " + bytes + " -->"); };
  for (auto const& bytes : {"\0"s, "\1"s, "\x1b[31m"s}) EXPECT_REFUSED(comment(bytes), "a.xml:3", "XML");
  for (auto const& bytes : {"\xe4"s,              // Latin-1
                            "\xc0\xaf"s,          // overlong
                            "\xed\xa0\x80"s,      // a surrogate
                            "\xf4\x90\x80\x80"s,  // beyond U+10FFFF
                            "\xe2\x82"s}) {       // cut short
    EXPECT_REFUSED(comment(bytes), "a.xml:3", "UTF-8");
  }
  EXPECT_NO_THROW(comment("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"));
}

TEST(Xml, AByteOrderMarkIsSkipped) {
  EXPECT_EQ(parse_xml("\xEF\xBB\xBF" + list("<Parameter name=\"n\" type=\"int\" value=\"3\"/>"), "a.xml")
                ->get<int>("n"),
            3);
}

TEST(Xml, DeepNestingIsRefused) {
  auto const nested = [](int depth) {
    std::string opening, closing;
    for (int i = 0; i < depth; ++i) {
      opening += "<ParameterList name=\"s\">\n";
      closing += "</ParameterList>";
    }
    return opening + closing;
  };
  EXPECT_NO_THROW(parse_xml(nested(deepest), "a.xml"));
  EXPECT_REFUSED(parse_xml(nested(deepest + 1), "a.xml"), "a.xml:101", "nested");
  EXPECT_REFUSED(parse_xml(nested(100000), "a.xml"), "a.xml:101", "nested");
}

TEST(Xml, LongNamesAndValuesAreRefusedAndNotEchoedWhole) {
  std::string const endless(1000000, 'm');
  auto const text =
      failure([&] { parsed("<Parameter name=\"" + endless + "\" type=\"int\" value=\"3\"/>"); });
  EXPECT_TRUE(contains(text, "a.xml:2") && contains(text, "1000000 bytes")) << text.substr(0, 500);
  EXPECT_LT(text.size(), 500U);
  for (std::string const type : {"int", "string"}) {
    auto const value =
        failure([&] { parsed("<Parameter name=\"n\" type=\"" + type + "\" value=\"" + endless + "\"/>"); });
    EXPECT_TRUE(contains(value, "1000000 bytes")) << value.substr(0, 500);
    EXPECT_LT(value.size(), 500U);
  }
}

TEST(Xml, AllMistakesAreReportedAtOnce) {
  EXPECT_REFUSED(parsed("<Parameter name=\"n\" type=\"int\" value=\"3x\"/>\n"
                        "<Parameter name=\"x\" type=\"double\" value=\"abc\"/>"),
                 "a.xml:2", "a.xml:3");
}

TEST(Xml, AMissingFileIsRefusedOnAllRanks) {
  Teuchos::MpiComm<int> const comm(MPI_COMM_WORLD);
  EXPECT_REFUSED(readXml("no/such/file.xml", comm), "no/such/file.xml", "No such file");
}

TEST(Xml, AFileWithoutEndIsRefusedOnAllRanks) {
  Teuchos::MpiComm<int> const comm(MPI_COMM_WORLD);
  EXPECT_REFUSED(readXml("/dev/zero", comm), "/dev/zero", "MiB");
}

TEST(Xml, ADirectoryIsRefusedOnAllRanks) {
  Teuchos::MpiComm<int> const comm(MPI_COMM_WORLD);
  EXPECT_REFUSED(readXml("/", comm), "/");
}

TEST(Xml, AllRanksGetTheFileOrItsMistakes) {
  Teuchos::MpiComm<int> const comm(MPI_COMM_WORLD);
  std::string name = "tessera_xml_test_" + std::to_string(::getpid()) + ".xml";  // rank 0's is used
  auto const write = [&](std::string const& text) {
    if (comm.getRank() == 0) std::ofstream(name) << text;
  };
  write(list("<Parameter name=\"n\" type=\"int\" value=\"3\"/>"));
  EXPECT_EQ(readXml(name, comm)->get<int>("n"), 3);
  write(list("<Parameter name=\"n\" type=\"int\" value=\"3x\"/>"));
  EXPECT_REFUSED(readXml(name, comm), ".xml:2", "\"3x\"");
  if (comm.getRank() == 0) std::remove(name.c_str());
  name = name.substr(0, name.size() - 4) + ".yaml";
  write("Test:\n  n: 3\n");
  EXPECT_EQ(readXml(name, comm)->get<int>("n"), 3);
  write("Test:\n  n: 3\n  n: 4\n");
  EXPECT_REFUSED(readXml(name, comm), ".yaml:4", "already exists");
  if (comm.getRank() == 0) std::remove(name.c_str());
}

TEST(Yaml, IsReadLikeXml) {
  auto const read = parse_yaml(
      "%YAML 1.1\n---\nANONYMOUS: # a name\n  n: 3\n  'a: b': 1.0e-8\n  flag: false\n"
      "  text: Glen's Law\n  inner: { n: -4 }\n  list: [1, 2]\n...\n",
      "a.yaml");
  EXPECT_EQ(read->name(), "a.yaml");
  EXPECT_EQ(read->get<int>("n"), 3);
  EXPECT_EQ(read->get<double>("a: b"), 1e-8);
  EXPECT_FALSE(read->get<bool>("flag"));
  EXPECT_EQ(read->sublist("inner").get<int>("n"), -4);
  EXPECT_EQ(read->sublist("inner").name(), "a.yaml->inner");
  EXPECT_EQ(read->get<Teuchos::Array<int>>("list").size(), 2);
  EXPECT_TRUE(is_yaml("lists/a.yaml") && is_yaml("a.yml") && !is_yaml("yaml") && !is_yaml("a.yaml.xml"));
}

TEST(Yaml, MistakesAreRefusedWithTheirLine) {
  EXPECT_REFUSED(parse_yaml("a:\n  n: 3\n   m: 4\n", "a.yaml"), "a.yaml:3", "not YAML");
  EXPECT_REFUSED(parse_yaml("a:\n  n: 3\n  n: 4\n", "a.yaml"), "a.yaml:4", "already exists");
  EXPECT_REFUSED(parse_yaml("a:\n  n: 3\nb:\n  n: 4\n", "a.yaml"), "a.yaml:3", "second outermost name");
  EXPECT_REFUSED(parse_yaml("a: 1\nb: 2\n", "a.yaml"), "a.yaml:2", "second outermost name");
  EXPECT_REFUSED(parse_yaml("just text\n", "a.yaml"), "a.yaml", "not YAML");
  EXPECT_REFUSED(parse_yaml("a:\n  n: [1, [2]]\n", "a.yaml"), "a.yaml", "not YAML");
  EXPECT_REFUSED(parse_yaml(" \n", "a.yaml"), "a.yaml", "empty");
  EXPECT_REFUSED(parse_yaml(std::string("a:\n  n: \0", 9), "a.yaml"), "a.yaml:2", "YAML");
  EXPECT_REFUSED(parse_yaml("a:\n  n: \xe4\n", "a.yaml"), "a.yaml:2", "UTF-8");
  EXPECT_REFUSED(parse_yaml("a:\n  n: " + std::string(5000, 'x') + "\n", "a.yaml"), "\"n\"", "too long");
}

TEST(Yaml, DeepNestingIsRefused) {
  auto const flow = [](int depth) {
    std::string opening = "a: ", closing;
    for (int i = 0; i < depth; ++i) {
      opening += "{n: ";
      closing += "}";
    }
    return opening + "1" + closing + "\n";
  };
  EXPECT_NO_THROW(parse_yaml(flow(deepest), "a.yaml"));
  EXPECT_REFUSED(parse_yaml(flow(100000), "a.yaml"), "a.yaml:1", "nested");
  EXPECT_REFUSED(parse_yaml("a:\n" + std::string(1000, ' ') + "n: 1\n", "a.yaml"), "a.yaml:2", "nested");
}

}  // namespace
}  // namespace Tessera::parameters

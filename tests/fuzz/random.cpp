#include "random.hpp"

#include <algorithm>

namespace Tessera::fuzz {

std::string with_bytes_mutated(std::string text, Random& random) {
  std::size_t const at = random.below(text.size() + 1);
  std::size_t const rest = text.size() - at, length = 1 + random.below(random.one_in(3) ? 200 : 8);
  static std::vector<std::string> const inserts{std::string(1, '\0'),
                                                "\xff",
                                                "\xc3\x28",
                                                "\xe2\x82\xac",
                                                "<",
                                                ">",
                                                "\"",
                                                "&",
                                                "&#0;",
                                                "<!--",
                                                "-->",
                                                "<![CDATA[",
                                                "]]>",
                                                "<?",
                                                "\r\n",
                                                "\n",
                                                "\t",
                                                " ",
                                                "%",
                                                "#",
                                                "/",
                                                "=",
                                                "'",
                                                "\x1b[2J",
                                                "-",
                                                ".",
                                                "e999",
                                                "+",
                                                "\\",
                                                ";"};
  switch (random.below(6)) {
    case 0:
      if (rest > 0) text[at] = static_cast<char>(random.below(256));
      break;
    case 1:
      if (rest > 0) text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
      break;
    case 2:
      text.insert(at, random.pick(inserts));
      break;
    case 3:
      text.erase(at, length);
      break;
    case 4:
      text.insert(random.below(text.size() + 1), text.substr(at, length));
      break;
    default:
      if (random.one_in(4)) text.resize(at);
      break;
  }
  return text;
}

std::string number(Random& random) {
  static std::vector<std::string> const odd{"0",
                                            "-0",
                                            "-1",
                                            "1",
                                            "2",
                                            "+3",
                                            "1e-8",
                                            "1e-16",
                                            "1e-300",
                                            "1e-320",
                                            "1e300",
                                            "-1e300",
                                            "1e308",
                                            "1e309",
                                            "1e45",
                                            "1e-45",
                                            "1e-200",
                                            "1e200",
                                            "0.5",
                                            "0.999999999",
                                            "1.00000001",
                                            "3.5",
                                            ".5",
                                            "5.",
                                            "nan",
                                            "inf",
                                            "-inf",
                                            "0x10",
                                            "1d5",
                                            "1,5",
                                            "1 2",
                                            "",
                                            "65536",
                                            "100000",
                                            "1000000000",
                                            "2147483647",
                                            "2147483648",
                                            "-2147483648",
                                            "4294967296",
                                            "9223372036854775807",
                                            "1e5",
                                            "007",
                                            "9223372036854775808",
                                            "1e-38",
                                            "3.4e38",
                                            "1e39"};
  if (random.one_in(2)) return random.pick(odd);
  if (random.one_in(3)) return std::to_string(static_cast<double>(random.below(2000)) / 1000 - 0.5);
  return std::to_string(static_cast<int>(random.below(60)) - 8);
}

}  // namespace Tessera::fuzz

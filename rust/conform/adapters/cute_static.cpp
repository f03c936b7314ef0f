// CuTe's layout algebra on static types, for cute_static_adapter.py: a fixed set of requests, each compiled by itself.
//
// `cute --list` prints the requests, those that CuTe refuses to compile among them. Else a line in, a line out: an operation and
// its arguments as they stand in the list, `!` where it is refused, `?` where it is none of these.

#include "cute_write.hpp"

#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using Run = void (*)(std::ostream&);
struct Entry {
  std::string op, args;
  Run run;
};

#define ONE(op, a) all.push_back({#op, json(a{}), [](std::ostream& out) { write(out, op(a{})); }});
#define TWO(op, a, b) all.push_back({#op, json(a{}, b{}), [](std::ostream& out) { write(out, op(a{}, b{})); }});
// a static_assert, or another error of the compiler
#define NONE1(op, a) all.push_back({#op, json(a{}), nullptr});
#define NONE2(op, a, b) all.push_back({#op, json(a{}, b{}), nullptr});


template <class... T>
std::string json(T const&... values) {
  std::ostringstream out;
  bool first = true;
  out << "[";
  ((out << (first ? "" : ","), first = false, write(out, values)), ...);
  out << "]";
  return out.str();
}

#include "cute_static.inc"

int main(int count, char**) {
  std::vector<Entry> all;
  add(all);
  if (count > 1) {
    for (auto const& entry : all) std::cout << entry.op << " " << entry.args << "\n";
    return 0;
  }
  std::map<std::string, Run> found;
  for (auto const& entry : all) found[entry.op + " " + entry.args] = entry.run;
  for (std::string line; std::getline(std::cin, line);) {
    auto at = found.find(line);
    std::ostringstream out;
    if (at == found.end()) {
      out << "?";
    } else if (!at->second) {
      out << "!";
    } else {
      at->second(out);
    }
    std::cout << out.str() << std::endl;
  }
}

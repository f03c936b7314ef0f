// CuTe's layout algebra on integers of run time, for cute_adapter.py: a line in, a line out.
//
// In CuTe a nesting is a type: a request is answered where its nestings are among those below, else with `?`. A layout comes
// as `L NESTING EXTENTS STRIDES`, a tuple as `T NESTING NUMBERS`, with the numbers left to right; `(i(ii))` is a nesting.

#include "cute_write.hpp"

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using Numbers = std::vector<Int64>;

struct Value {
  bool layout = false;
  std::string nesting;
  Numbers shape, stride;
};

static Value read(std::istream& in) {
  Value value;
  std::string kind;
  in >> kind >> value.nesting;
  value.layout = kind == "L";
  size_t leaves = 0;
  for (char c : value.nesting) leaves += c == 'i';
  for (auto* numbers : {&value.shape, &value.stride}) {
    if (numbers == &value.stride && !value.layout) break;
    for (size_t i = 0; i < leaves; ++i) {
      Int64 number;
      in >> number;
      numbers->push_back(number);
    }
  }
  return value;
}

// Calls f with the numbers nested as a type, and answers whether there is that type.
template <class F>
bool nested(std::string const& nesting, Numbers const& n, F f) {
  if (nesting == "i") return f(n[0]), true;
  if (nesting == "(i)") return f(make_tuple(n[0])), true;
  if (nesting == "(ii)") return f(make_tuple(n[0], n[1])), true;
  if (nesting == "(iii)") return f(make_tuple(n[0], n[1], n[2])), true;
  if (nesting == "(i(ii))") return f(make_tuple(n[0], make_tuple(n[1], n[2]))), true;
  if (nesting == "((ii)i)") return f(make_tuple(make_tuple(n[0], n[1]), n[2])), true;
  return false;
}

template <class F>
bool with_layout(Value const& value, F f) {
  if (!value.layout) return false;
  return nested(value.nesting, value.shape, [&](auto shape) {
    nested(value.nesting, value.stride, [&](auto stride) {
      if constexpr (is_congruent<decltype(shape), decltype(stride)>::value) f(make_layout(shape, stride));
    });
  });
}

// Complements of run-time strides are there for one mode.
template <class F>
bool with_run(Value const& value, F f) {
  if (!value.layout && value.nesting == "i") return f(make_layout(value.shape[0])), true;
  if (value.layout && value.nesting == "i") return f(make_layout(value.shape[0], value.stride[0])), true;
  return false;
}

// A tuple of integers, a tile for each mode.
template <class F>
bool with_tiles(Value const& value, F f) {
  Numbers const& n = value.shape;
  if (value.layout) return false;
  if (value.nesting == "(i)") return f(make_tile(n[0])), true;
  if (value.nesting == "(ii)") return f(make_tile(n[0], n[1])), true;
  return false;
}

template <class Layout, class Tiler, class Out>
bool divide(std::string const& op, Layout const& layout, Tiler const& tiler, Out put) {
  if (op.rfind("logical_divide", 0) == 0) return put(logical_divide(layout, tiler)), true;
  if (op == "zipped_divide") return put(zipped_divide(layout, tiler)), true;
  if (op == "tiled_divide") return put(tiled_divide(layout, tiler)), true;
  if (op == "flat_divide") return put(flat_divide(layout, tiler)), true;
  return false;
}

template <class Block, class Tiles, class Out>
bool multiply(std::string const& op, Block const& block, Tiles const& tiles, Out put) {
  if (op == "logical_product" || op == "logical_product_by_mode") return put(logical_product(block, tiles)), true;
  if (op == "zipped_product") return put(zipped_product(block, tiles)), true;
  if (op == "tiled_product") return put(tiled_product(block, tiles)), true;
  return false;
}

static bool answer(std::string const& op, std::vector<Value> const& args, std::ostream& out) {
  auto put = [&](auto const& value) { write(out, value); };
  bool known = false;
  if (args.size() == 1) {
    Value const& only = args[0];
    if (op == "size") return with_layout(only, [&](auto l) { put(size(l)); });
    if (op == "cosize") return with_layout(only, [&](auto l) { put(cosize(l)); });
    if (op == "coshape") return with_layout(only, [&](auto l) { put(coshape(l)); });
    if (op == "coalesce") return with_layout(only, [&](auto l) { put(coalesce(l)); });
    if (op == "eval") {
      return with_layout(only, [&](auto l) {
        out << "[";
        for (Int64 i = 0; i < size(l); ++i) out << (i ? "," : "") << Int64(l(i));
        out << "]";
      });
    }
    if (op == "complement") return with_run(only, [&](auto l) { put(complement(l)); });
    if (only.layout) return false;
    if (op == "make_layout_left") return nested(only.nesting, only.shape, [&](auto s) { put(make_layout(s, LayoutLeft{})); });
    if (op == "make_layout_right") return nested(only.nesting, only.shape, [&](auto s) { put(make_layout(s, LayoutRight{})); });
    return false;
  }
  if (args.size() != 2) return false;
  Value const &first = args[0], &second = args[1];
  if (op == "composition" || op == "composition_extended") {
    with_layout(first, [&](auto a) { known = with_layout(second, [&](auto b) { put(composition(a, b)); }); });
  } else if (op == "composition_by_mode") {
    with_layout(first, [&](auto a) {
      known = with_tiles(second, [&](auto tiles) {
        if constexpr (rank(tiles) <= rank(a)) put(composition(a, tiles));
      });
    });
  } else if (op == "complement" || op == "complement_ceil") {
    if (second.layout || second.nesting != "i") return false;
    known = with_run(first, [&](auto l) { put(complement(l, second.shape[0])); });
  } else if (op == "call") {
    if (first.layout || first.nesting != "i") return false;
    known = with_layout(second, [&](auto l) { put(l(first.shape[0])); });
  } else if (op == "idx2crd") {
    if (first.layout || first.nesting != "i" || second.layout) return false;
    known = nested(second.nesting, second.shape, [&](auto shape) { put(idx2crd(first.shape[0], shape)); });
  } else if (op.find("divide") != std::string::npos) {
    with_layout(first, [&](auto a) {
      known = with_run(second, [&](auto tile) { known = divide(op, a, tile, put); }) && known;
      if (known) return;
      with_tiles(second, [&](auto tiles) {
        if constexpr (rank(tiles) <= rank(a)) known = divide(op, a, tiles, put);
      });
    });
  } else if (op.find("product") != std::string::npos) {
    with_run(first, [&](auto block) {
      with_layout(second, [&](auto tiles) { known = multiply(op, block, tiles, put); });
    });
  }
  return known;
}

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    std::ostringstream out;
    std::string op;
    size_t count = 0;
    in >> op >> count;
    std::vector<Value> args;
    for (size_t i = 0; i < count; ++i) args.push_back(read(in));
    bool known = answer(op, args, out) && !out.str().empty();
    std::cout << (known ? out.str() : "?") << std::endl;
  }
}

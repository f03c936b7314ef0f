// CuTe's values as JSON, for cute.cpp and cute_static.cpp.
#pragma once

#include <cute/layout.hpp>

#include <cstdint>
#include <ostream>

using namespace cute;
using Int64 = int64_t;

template <class T>
void write(std::ostream& out, T const& value) {
  if constexpr (is_layout<T>::value) {
    out << "{\"shape\":";
    write(out, value.shape());
    out << ",\"stride\":";
    write(out, value.stride());
    out << "}";
  } else if constexpr (is_tuple<T>::value) {
    out << "[";
    bool first = true;
    for_each(value, [&](auto const& item) {
      if (!first) out << ",";
      first = false;
      write(out, item);
    });
    out << "]";
  } else {
    out << Int64(value);
  }
}

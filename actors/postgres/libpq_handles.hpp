// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/conninfo.hpp"

#include <libpq-fe.h>

#include <memory>
#include <vector>

/// Owners of what libpq allocates. Only sources include this file: libpq stays out of our headers.
namespace replicant::postgres {

template <auto Release>
struct releaser {
  template <class T>
  void operator()(T* what) const {
    Release(what);
  }
};

using connection_handle = std::unique_ptr<PGconn, releaser<PQfinish>>;
using result_handle = std::unique_ptr<PGresult, releaser<PQclear>>;
using options_handle = std::unique_ptr<PQconninfoOption, releaser<PQconninfoFree>>;

/// Parameters as libpq takes them; views into what it was made of.
struct keyword_arrays {
  explicit keyword_arrays(const parameters& all) {
    for (const auto& [keyword, value] : all) {
      keywords.push_back(keyword.c_str());
      values.push_back(value.c_str());
    }
    keywords.push_back(nullptr);
    values.push_back(nullptr);
  }

  std::vector<const char*> keywords;
  std::vector<const char*> values;
};

} // namespace replicant::postgres

// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/type_catalog.hpp"

#include "replicant/core/model/number_text.hpp"
#include "replicant/core/protocol/catalog_query.hpp"

#include <map>
#include <string_view>
#include <utility>

namespace replicant::postgres {

namespace {

/// Far beyond what anybody nests; PostgreSQL lets no type contain itself.
constexpr int deepest = 64;

constexpr std::uint32_t text_type = 25;

std::uint32_t oid_of(std::optional<std::string_view> text) {
  return text ? parse_number<std::uint32_t>(*text).value_or(0) : 0;
}

char delimiter_of(std::optional<std::string_view> text) {
  return text && !text->empty() ? text->front() : ',';
}

/// A step from a type to a part of it.
struct step {
  std::string_view kind;
  std::uint32_t part = 0;
  char delimiter = ',';
};

// NOLINTBEGIN(misc-no-recursion): `deepest` ends it

/// Puts the rows of `type_query` together.
class shape_builder {
public:
  explicit shape_builder(const rows& answer) {
    for (std::size_t row = 0; row < answer.count(); ++row) {
      const auto part = oid_of(answer.text(row, "part"));
      const auto as_text = answer.text(row, "as_text");
      reads_as_.try_emplace(part, as_text == "t" ? text_type : 0);
      steps_.emplace(oid_of(answer.text(row, "oid")),
                     step{.kind = answer.text(row, "kind").value_or(std::string_view{}),
                          .part = part,
                          .delimiter = delimiter_of(answer.text(row, "delimiter"))});
    }
  }

  [[nodiscard]] std::shared_ptr<const type_shape> build(std::uint32_t oid, int depth = 0) {
    if (auto built_in = built_in_type(oid))
      return built_in;
    // Types that share a part share its shape: nested ones would double the work at every level.
    if (const auto found = built_.find(oid); found != built_.end())
      return found->second;
    return built_[oid] = put_together(oid, depth);
  }

private:
  using steps = std::multimap<std::uint32_t, step>;

  [[nodiscard]] std::shared_ptr<const type_shape> put_together(std::uint32_t oid, int depth) {
    const auto [from, to] = steps_.equal_range(oid);
    if (from == to || depth == deepest)
      return leaf(oid);
    const auto& only = from->second;
    if (only.kind == "domain")
      return build(only.part, depth + 1);
    if (only.kind == "composite")
      return composite(from, to, depth);
    return std::make_shared<const type_shape>(
      type_shape{.kind = only.kind == "array"   ? type_kind::array
                         : only.kind == "range" ? type_kind::range
                                                : type_kind::multirange,
                 .element = build(only.part, depth + 1),
                 .delimiter = only.delimiter});
  }

  [[nodiscard]] std::shared_ptr<const type_shape> leaf(std::uint32_t oid) const {
    const auto found = reads_as_.find(oid);
    return std::make_shared<const type_shape>(
      type_shape{.reads_as = found == reads_as_.end() ? 0 : found->second});
  }

  [[nodiscard]] std::shared_ptr<const type_shape> composite(steps::const_iterator from,
                                                            steps::const_iterator to, int depth) {
    type_shape made{.kind = type_kind::composite};
    for (; from != to; ++from)
      if (const auto part = from->second.part; part != 0 && built_in_type(part) == nullptr)
        made.attributes.emplace(part, build(part, depth + 1));
    return std::make_shared<const type_shape>(std::move(made));
  }

  steps steps_; ///< By the type that they start from.
  std::map<std::uint32_t, std::uint32_t> reads_as_;
  std::map<std::uint32_t, std::shared_ptr<const type_shape>> built_;
};

// NOLINTEND(misc-no-recursion)

/// Whether the source has the type that was asked for.
bool exists(const rows& answer, std::uint32_t oid) {
  for (std::size_t row = 0; row < answer.count(); ++row)
    if (oid_of(answer.text(row, "part")) == oid)
      return answer.text(row, "as_text").has_value();
  return false;
}

} // namespace

std::shared_ptr<const type_shape> shape_of(const rows& answer, std::uint32_t oid) {
  return shape_builder{answer}.build(oid);
}

result<std::shared_ptr<const type_shape>> type_catalog::find(std::uint32_t oid) {
  if (auto built_in = built_in_type(oid))
    return built_in;
  if (const auto found = known_.find(oid); found != known_.end())
    return found->second;
  const auto answer = session_.ask(type_query(oid));
  if (!answer)
    return failure(answer.error());
  auto shape = shape_of(*answer, oid);
  // The number of a type that is gone may be given to another one.
  if (exists(*answer, oid))
    known_.emplace(oid, shape);
  return shape;
}

} // namespace replicant::postgres

// SPDX-License-Identifier: MIT
#include "replicant/core/values/type_shape.hpp"

#include <array>
#include <span>
#include <unordered_map>

namespace replicant {

namespace {

// What pg_type.dat says, in all supported versions, of types that a column can have.

constexpr auto scalars = std::to_array<std::uint32_t>(
  {16,   17,   18,   19,   20,   21,   22,   23,   24,   25,   26,   27,   28,   29,
   30,   114,  142,  194,  600,  601,  602,  603,  604,  628,  650,  700,  701,  718,
   774,  790,  829,  869,  1033, 1042, 1043, 1082, 1083, 1114, 1184, 1186, 1266, 1560,
   1562, 1700, 1790, 2202, 2203, 2204, 2205, 2206, 2950, 2970, 3220, 3361, 3402, 3614,
   3615, 3642, 3734, 3769, 3802, 4072, 4089, 4096, 4191, 4600, 4601, 5017, 5038, 5069});

struct derived_type {
  std::uint32_t oid;
  std::uint32_t element;
};

constexpr auto ranges = std::to_array<derived_type>(
  {{3904, 23}, {3906, 1700}, {3908, 1114}, {3910, 1184}, {3912, 1082}, {3926, 20}});

constexpr auto multiranges = std::to_array<derived_type>(
  {{4451, 3904}, {4532, 3906}, {4533, 3908}, {4534, 3910}, {4535, 3912}, {4536, 3926}});

constexpr auto arrays = std::to_array<derived_type>(
  {{143, 142},   {199, 114},   {271, 5069},  {629, 628},   {651, 650},   {719, 718},   {775, 774},
   {791, 790},   {1000, 16},   {1001, 17},   {1002, 18},   {1003, 19},   {1005, 21},   {1006, 22},
   {1007, 23},   {1008, 24},   {1009, 25},   {1010, 27},   {1011, 28},   {1012, 29},   {1013, 30},
   {1014, 1042}, {1015, 1043}, {1016, 20},   {1017, 600},  {1018, 601},  {1019, 602},  {1020, 603},
   {1021, 700},  {1022, 701},  {1027, 604},  {1028, 26},   {1034, 1033}, {1040, 829},  {1041, 869},
   {1115, 1114}, {1182, 1082}, {1183, 1083}, {1185, 1184}, {1187, 1186}, {1231, 1700}, {1270, 1266},
   {1561, 1560}, {1563, 1562}, {2201, 1790}, {2207, 2202}, {2208, 2203}, {2209, 2204}, {2210, 2205},
   {2211, 2206}, {2949, 2970}, {2951, 2950}, {3221, 3220}, {3643, 3614}, {3644, 3642}, {3645, 3615},
   {3735, 3734}, {3770, 3769}, {3807, 3802}, {3905, 3904}, {3907, 3906}, {3909, 3908}, {3911, 3910},
   {3913, 3912}, {3927, 3926}, {4073, 4072}, {4090, 4089}, {4097, 4096}, {4192, 4191}, {5039, 5038},
   {6150, 4451}, {6151, 4532}, {6152, 4533}, {6153, 4534}, {6155, 4535}, {6157, 4536}});

/// The only type whose elements are not separated by a comma.
constexpr std::uint32_t box = 603;

using shapes = std::unordered_map<std::uint32_t, std::shared_ptr<const type_shape>>;

/// Elements have to be there already.
void add(shapes& known, type_kind kind, std::span<const derived_type> types) {
  for (const auto& one : types)
    known.emplace(one.oid, std::make_shared<const type_shape>(
                             type_shape{.kind = kind,
                                        .element = known.at(one.element),
                                        .delimiter = one.element == box ? ';' : ','}));
}

shapes make_shapes() {
  shapes known;
  for (const auto oid : scalars)
    known.emplace(oid, std::make_shared<const type_shape>(type_shape{.reads_as = oid}));
  add(known, type_kind::range, ranges);
  add(known, type_kind::multirange, multiranges);
  add(known, type_kind::array, arrays);
  return known;
}

} // namespace

std::shared_ptr<const type_shape> type_shape::attribute(std::uint32_t oid) const {
  if (auto built_in = built_in_type(oid))
    return built_in;
  const auto found = attributes.find(oid);
  return found == attributes.end() ? nullptr : found->second;
}

std::shared_ptr<const type_shape> built_in_type(std::uint32_t oid) {
  static const shapes known = make_shapes();
  const auto found = known.find(oid);
  return found == known.end() ? nullptr : found->second;
}

} // namespace replicant

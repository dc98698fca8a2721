// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_scalar.hpp"

#include "replicant/core/values/binary_geometry.hpp"
#include "replicant/core/values/binary_network.hpp"
#include "replicant/core/values/binary_number.hpp"
#include "replicant/core/values/binary_search.hpp"
#include "replicant/core/values/binary_string.hpp"
#include "replicant/core/values/binary_system.hpp"
#include "replicant/core/values/binary_time.hpp"

namespace replicant {

binary_printer scalar_printer(std::uint32_t oid) {
  switch (oid) {
    case 16: return print_bool;
    case 17: return print_bytea;
    case 18: return print_char;
    case 20: return print_int8;
    case 21: return print_int2;
    case 22: return print_int2vector;
    case 23: return print_int4;
    case 26: // oid
    case 28: // xid
    case 29: // cid
      return print_oid;
    case 27: return print_tid;
    case 30: return print_oidvector;
    case 19:   // name
    case 25:   // text
    case 114:  // json
    case 142:  // xml
    case 194:  // pg_node_tree
    case 705:  // unknown
    case 1042: // bpchar
    case 1043: // varchar
    case 1790: // refcursor
      return print_text;
    case 600: return print_point;
    case 601: return print_lseg;
    case 602: return print_path;
    case 603: return print_box;
    case 604: return print_polygon;
    case 628: return print_line;
    case 650: // cidr
    case 869: return print_inet;
    case 700: return print_float4;
    case 701: return print_float8;
    case 718: return print_circle;
    case 774: return print_macaddr8;
    case 790: return print_money;
    case 829: return print_macaddr;
    case 1082: return print_date;
    case 1083: return print_time;
    case 1114: return print_timestamp;
    case 1184: return print_timestamptz;
    case 1186: return print_interval;
    case 1266: return print_timetz;
    case 1560: // bit
    case 1562: // varbit
      return print_bit;
    case 1700: return print_numeric;
    case 2950: return print_uuid;
    case 2970: // txid_snapshot
    case 5038: return print_pg_snapshot;
    case 3220: return print_pg_lsn;
    case 3614: return print_tsvector;
    case 3615: return print_tsquery;
    case 3802: // jsonb
    case 4072: // jsonpath
      return print_versioned_text;
    case 5069: return print_xid8;
    default: return nullptr;
  }
}

} // namespace replicant

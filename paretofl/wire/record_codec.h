#pragma once

#include "paretofl/core/record.h"
#include "paretofl/wire/byte_reader.h"
#include "paretofl/wire/byte_writer.h"

namespace paretofl {

/// How deep records may nest: a hostile message can't exhaust the stack.
inline constexpr int kMaxRecordDepth = 32;

/// Arrays, scalars, texts, records, each as a count and its (name, value) pairs by ascending name. Equal
/// records have equal bytes, and no other bytes are read as that record. Both throw Error on
/// records nested deeper than kMaxRecordDepth; reading also on anything malformed.
void write_record(ByteWriter& out, const Record& record);
Record read_record(ByteReader& in);

}  // namespace paretofl

#pragma once

#include <cstdint>
#include <vector>

#include "paretofl/tables/table_data.h"

namespace paretofl {

/// Which rows are for training, by client, and which are held out.
struct RowSplit {
  std::vector<std::vector<std::uint32_t>> train;  ///< [clients]
  std::vector<std::uint32_t> validation;
  std::vector<std::uint32_t> test;
  std::vector<std::vector<std::uint32_t>> test_of_client = {};  ///< [clients] the same, client by client

  std::vector<std::uint32_t> all_train() const;  ///< client by client
};

/// Holds out a share of each client's rows, rounded down, drawn from the client's own random stream.
RowSplit draw_split(const TableData& table, double validation_fraction, double test_fraction, std::uint64_t seed);

/// The split that a column of categories names for every row: train, validation or test. Throws Error for another value.
RowSplit named_split(const TableData& table, std::size_t column, const std::string& name);

/// Throws Error unless every client has a row for training and there is a row for testing.
void check_split(const RowSplit& split, const TableData& table);

}  // namespace paretofl

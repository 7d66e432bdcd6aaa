#include "paretofl/tables/table_options.h"

namespace paretofl {

void TableOptions::describe(OptionVisitor& visit) {
  visit.text("files", files, "rows below data.root: a CSV or .npy file, a folder of them, or a pattern such as clients/*.csv");
  visit.text("client_column", client_column, "column that names the client of a row; empty: each file is a client");
  visit.choice("separator", separator, {"comma", "semicolon", "tab"}, "what separates the fields of a CSV file");
  visit.texts("columns", columns, "names of the columns of .npy files, in their order");
  visit.texts("targets", targets, "columns to predict, one for each objective");
  visit.texts("losses", losses, "loss of each target: squared, absolute, quantile:LEVEL, logistic or cross_entropy");
  visit.texts("features", features, "columns to predict from; empty: all but the targets, client_column, split_column and ignored");
  visit.texts("ignored", ignored, "columns that are not read");
  visit.texts("categorical", categorical, "features that are categories: each value becomes a feature of zeros and ones");
  visit.choice(
      "missing", missing, {"error", "mean"},
      "features without a value; mean: a number is replaced by the mean over the training rows that have one, a category by none of them");
  visit.choice("missing_targets", missing_targets, {"error", "skip"}, "targets without a value; skip: the row does not count for them");
  visit.boolean("standardize", standardize, "scale numbers among the features to mean 0 and variance 1 over all clients' training rows");
  visit.boolean("standardize_targets", standardize_targets, "the same for the targets of squared, absolute and quantile losses");
  visit.text("split_column", split_column, "column with train, validation or test for every row; empty: rows are held out by chance");
  visit.real("validation_fraction", validation_fraction, 0, 0.9,
             "share of each client's rows held out for validation, without split_column");
  visit.real("test_fraction", test_fraction, 0, 0.9, "share of each client's rows held out for testing, without split_column");
  visit.integer("batch_size", batch_size, 1, kMaxInt, "minibatch size; at most a client's training rows are used");
  visit.choice("model", model, {"mlp", "linear"},
               "mlp: hidden layers that the targets share, then a head of each; linear: no hidden layer");
  visit.reals("hidden", hidden, 1, 65536, "widths of the hidden layers of mlp");
  visit.choice("activation", activation, {"relu", "tanh"}, "what follows each hidden layer");
}

}  // namespace paretofl

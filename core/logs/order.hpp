// Rows in the order of their times, for logs that are written when operations end.
#pragma once

#include "formats/raw.hpp"

namespace porf::logs {

// Rows that start at the same time stay in their order, and one without a time stays behind the one before it in its
// thread.
void put_in_order_of_time(formats::Raw& raw);

}  // namespace porf::logs

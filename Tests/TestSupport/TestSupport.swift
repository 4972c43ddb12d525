// Filled by the first helper.

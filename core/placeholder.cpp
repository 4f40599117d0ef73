// Placeholder translation unit so that the library exists.

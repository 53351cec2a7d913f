"""Read and write the files of clembench."""

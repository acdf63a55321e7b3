/** Maximum file size, 25 MiB. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024;

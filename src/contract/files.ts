/** Maximum file size, 25 MiB. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024;

/** Header of a document that names the upload, or the purchase at UPS, whose labels it holds. */
export const DOCUMENT_OF_HEADER = "X-Document-Of";

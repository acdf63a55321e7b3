/** Bucket of an S3-compatible store, reached with path-style addresses. */
export type S3Config = {
  /** Origin of the store. */
  endpoint: string;
  bucket: string;
  /** Begins the keys of all documents, and ends with a slash; empty if the bucket has one store only, or the first of several. */
  below: string;
  region: string;
  keyId: string;
  secret: string;
  /** Time limit of one call, with its document. */
  timeoutMs: number;
};

/** Bucket of an S3-compatible store, reached with path-style addresses. */
export type S3Config = {
  /** Origin of the store. */
  endpoint: string;
  bucket: string;
  region: string;
  keyId: string;
  secret: string;
  /** Time limit of one call, with its document. */
  timeoutMs: number;
};

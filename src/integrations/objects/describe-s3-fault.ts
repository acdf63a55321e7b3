import type { S3Config } from "#integrations/objects/config.ts";
import type { S3Failure } from "#integrations/objects/s3-call.ts";

/** Explains why a bucket can't be used, and what to do about it, in one sentence without its key. */
export function describeS3Fault({ endpoint, bucket, keyId }: S3Config, { code, call }: S3Failure): string {
  const right = call.key === "" ? "s3:ListBucket" : RIGHTS[call.method];
  const reason =
    code === "AccessDenied"
      ? `the key ${keyId} lacks the right ${right}; give it to the key`
      : (REASONS[code] ??
        `it does not answer as S3 does (${code}); start it, or set OBJECTS_S3_ENDPOINT to another one`);
  return `The bucket ${bucket} at ${new URL(endpoint).host} cannot be used: ${reason}.`;
}

const RIGHTS = { GET: "s3:GetObject", PUT: "s3:PutObject", DELETE: "s3:DeleteObject" };

const OTHER_KEY = "its key is refused; check OBJECTS_S3_KEY_ID and OBJECTS_S3_SECRET";
const OTHER_REGION = "it is in another region; set OBJECTS_S3_REGION to that one";
const SILENT = "start it, or set OBJECTS_S3_ENDPOINT to another one";

/** Reasons and remedies by code of S3 or the system. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: `nothing answers there; ${SILENT}`,
  ENOTFOUND: `there is no such host; ${SILENT}`,
  TimeoutError: `it does not answer in time; ${SILENT}`,
  foreign: `something else than S3 answers there; set OBJECTS_S3_ENDPOINT to the address of the store`,
  NoSuchBucket: "there is no bucket of this name; create it, or set OBJECTS_S3_BUCKET to another one",
  InvalidAccessKeyId: OTHER_KEY,
  SignatureDoesNotMatch: OTHER_KEY,
  AuthorizationHeaderMalformed: OTHER_REGION,
  PermanentRedirect: OTHER_REGION,
  RequestTimeTooSkewed: "the clock of this machine differs from its own; set the clock",
};

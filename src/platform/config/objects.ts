import type { Variables } from "#platform/config/schema.ts";

export function objectsChecks(variables: Partial<Variables>): [boolean, string][] {
  const set = (["ENDPOINT", "BUCKET", "KEY_ID", "SECRET"] as const).filter(
    (name) => variables[`OBJECTS_S3_${name}`],
  );
  return [
    [
      set.length > 0 && set.length < 4,
      "OBJECTS_S3_ENDPOINT, OBJECTS_S3_BUCKET, OBJECTS_S3_KEY_ID and OBJECTS_S3_SECRET go together: set all, or none for files in DATA_DIR.",
    ],
  ];
}

/** Reads the settings of the S3 bucket for stored files; null if files are kept in the data folder. */
export function readObjects(variables: Variables) {
  const { OBJECTS_S3_ENDPOINT: endpoint, OBJECTS_S3_BUCKET: bucket } = variables;
  const { OBJECTS_S3_KEY_ID: keyId, OBJECTS_S3_SECRET: secret } = variables;
  if (!endpoint || !bucket || !keyId || !secret) return null;
  const { OBJECTS_S3_REGION: region, OBJECTS_S3_TIMEOUT_MS: timeoutMs } = variables;
  return { endpoint, bucket, region, keyId, secret, timeoutMs };
}

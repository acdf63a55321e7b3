import { onTestFinished } from "vitest";
import { startS3, type S3Simulator } from "../../simulators/s3/start.ts";

const KEY = { id: "key-of-tests", secret: "secret/of+tests" };

/** A simulated bucket of the test's own, and the variables that name it. */
export async function openBucket(
  bucket = "documents",
): Promise<{ s3: S3Simulator; env: Record<string, string> }> {
  const s3 = await startS3({ port: 0, bucket, key: KEY });
  onTestFinished(() => s3.close());
  const env = {
    OBJECTS_S3_ENDPOINT: s3.url,
    OBJECTS_S3_BUCKET: bucket,
    OBJECTS_S3_KEY_ID: KEY.id,
    OBJECTS_S3_SECRET: KEY.secret,
  };
  return { s3, env };
}

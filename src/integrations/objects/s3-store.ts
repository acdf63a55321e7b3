import { readFile, rm } from "node:fs/promises";
import { ObjectMissing, type ObjectStore } from "#integrations/objects/object-store.ts";
import { openIncoming } from "#integrations/objects/receive-file.ts";
import { requireKey } from "#integrations/objects/rules-key.ts";
import { readXml } from "#integrations/objects/read-xml.ts";
import {
  callS3,
  S3Failure,
  sha256,
  type S3Answer,
  type S3Place,
  type S3Config,
} from "#integrations/objects/s3-call.ts";
import { AppError } from "#platform/errors.ts";

/** Hash of a document, stored with it: a document that was cut or damaged on its way is read again. */
const HASH = "x-amz-meta-sha256";
/** Folder of the documents by which the rights are tried; it is never listed. */
const TRIAL = "incoming/trial";
const OWNER = "installation";
const NO_DOCUMENTS = /^(incoming|journal)\//;

/**
 * Stores documents in a bucket. A file is received into a folder of this machine first, so that it is stored as a whole, with
 * its hash.
 * @param incoming folder of files that are being received
 */
export async function createS3Store(place: S3Place, incoming: string): Promise<ObjectStore> {
  const receive = await openIncoming(incoming, async (key, { path, sha256: hash }) => {
    const body = await readFile(path);
    if (sha256(body) !== hash) throw new Error(`The received file ${path} was changed.`);
    await reachable(put(place, { key, body }));
    await rm(path, { force: true });
  });
  return {
    receive,
    read: (key) => read(place, key),
    remove: (key) => reachable(remove(place, requireKey(key))),
    list: () => list(place),
    listOlder: (below, before) => listOlder(place, below, before),
    belongsTo: (installationId) => reachable(belongsTo(place, installationId)),
    findFault: (withinMs) => findFault({ ...place, timeoutMs: Math.min(withinMs, place.timeoutMs) }),
  };
}

async function read(place: S3Place, key: string): Promise<Buffer> {
  const found = await reachable(get(place, requireKey(key)));
  if (found === null) throw new ObjectMissing(key);
  return found;
}

async function* list(place: S3Place): AsyncGenerator<string> {
  for await (const { key } of listEntries(place, ""))
    if (key.includes("/") && !NO_DOCUMENTS.test(key)) yield key;
}

async function* listOlder(place: S3Place, below: string, before: Date): AsyncGenerator<string> {
  for await (const { key, modifiedAt } of listEntries(place, `${below}/`)) if (modifiedAt < before) yield key;
}

async function belongsTo(place: S3Place, installationId: string): Promise<boolean> {
  const found = await get(place, OWNER);
  if (found !== null) return found.toString() === installationId;
  // If two claim it at once, one is refused, and reads the other's claim.
  await putNew(place, OWNER, Buffer.from(installationId));
  return (await get(place, OWNER))?.toString() === installationId;
}

/** Tries all that the store needs, once each. */
async function findFault(place: S3Place): Promise<string | null> {
  const once: readonly number[] = [];
  try {
    await listPage(place, { prefix: TRIAL, token: null }, once);
    await put(place, { key: TRIAL, body: Buffer.from("trial") }, once);
    await get(place, TRIAL, once);
    await remove(place, TRIAL, once);
    return null;
  } catch (error) {
    if (error instanceof S3Failure) return describeS3Fault(place, error);
    throw error;
  }
}

type Put = { key: string; body: Buffer<ArrayBuffer>; headers?: Readonly<Record<string, string>> };

async function put(place: S3Place, { key, body, headers }: Put, waitsMs?: readonly number[]): Promise<void> {
  await callS3(
    place,
    { method: "PUT", key, body, headers: { ...headers, [HASH]: sha256(body) } },
    ({ status, headers: answered }) => (status === 200 && answered.has("etag") ? true : null),
    waitsMs,
  );
}

/** Stores an object unless one has its key. @returns whether it was stored; false also if an answer was lost and it was */
export async function putNew(place: S3Place, key: string, body: Buffer<ArrayBuffer>): Promise<boolean> {
  try {
    await put(place, { key, body, headers: { "if-none-match": "*" } });
    return true;
  } catch (error) {
    if (error instanceof S3Failure && error.code === "PreconditionFailed") return false;
    throw error;
  }
}

/** @returns null if there is no such document */
export async function get(place: S3Place, key: string, waitsMs?: readonly number[]): Promise<Buffer | null> {
  try {
    return await callS3(
      place,
      { method: "GET", key },
      ({ status, headers, body }) => (status === 200 && headers.get(HASH) === sha256(body) ? body : null),
      waitsMs,
    );
  } catch (error) {
    if (error instanceof S3Failure && error.code === "NoSuchKey") return null;
    throw error;
  }
}

export async function remove(place: S3Place, key: string, waitsMs?: readonly number[]): Promise<void> {
  await callS3(place, { method: "DELETE", key }, ({ status }) => (status === 204 ? true : null), waitsMs);
}

type Entry = { key: string; modifiedAt: Date };

async function* listEntries(place: S3Place, prefix: string): AsyncGenerator<Entry> {
  let token: string | null = null;
  do {
    const page: Page = await reachable(listPage(place, { prefix, token }));
    yield* page.entries;
    token = page.next;
  } while (token !== null);
}

type Page = { entries: Entry[]; next: string | null };

function listPage(
  place: S3Place,
  { prefix, token }: { prefix: string; token: string | null },
  waitsMs?: readonly number[],
): Promise<Page> {
  const query = { "list-type": "2", prefix, ...(token === null ? {} : { "continuation-token": token }) };
  return callS3(place, { method: "GET", key: "", query }, readPage, waitsMs);
}

function readPage({ status, body }: S3Answer): Page | null {
  const xml = status === 200 ? readXml(body) : null;
  const find = (name: string) => xml?.get(`ListBucketResult/${name}`) ?? [];
  const [isCut] = find("IsTruncated");
  const [next = null] = find("NextContinuationToken");
  const times = find("Contents/LastModified");
  const entries = find("Contents/Key").map((key, at) => ({ key, modifiedAt: new Date(times[at] ?? "") }));
  if (isCut === undefined || times.length !== entries.length || (isCut === "true" && next === null))
    return null;
  return { entries, next: isCut === "true" ? next : null };
}

/** Reports a store that can't be used now to the caller. */
export async function reachable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof S3Failure)) throw error;
    throw new AppError({
      status: 503,
      code: "storage_unavailable",
      detail: "Files can't be stored or read at the moment. Try again in a minute.",
      retryAfterSeconds: 60,
      cause: error,
    });
  }
}

/** Explains why a bucket can't be used, and what to do about it, in one sentence without its key. */
function describeS3Fault({ endpoint, bucket, keyId }: S3Config, { code, call }: S3Failure): string {
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

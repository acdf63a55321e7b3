import { createHash } from "node:crypto";
import { auditBy } from "#features/audit/index.ts";
import { findContacts } from "#features/companies/index.ts";
import type { OrderDocumentResult } from "#features/orders/contract.ts";
import type { FoldersCtx } from "#features/orders/ctx.ts";
import { openFolder } from "#features/orders/folders/open-folder.ts";
import { FAULTS } from "#features/orders/folders/sentences.ts";
import {
  changeFolder,
  findDueFolders,
  findTaken,
  stampName,
  type StoredFolder,
} from "#features/orders/folders/store.ts";
import type { Looks } from "#features/orders/folders/tables.ts";
import { acceptDocuments } from "#features/orders/intake/accept-documents.ts";
import { readOrderFile } from "#features/orders/intake/read-order-file.ts";
import type { ReadOrders } from "#features/orders/intake/read-orders.ts";
import { listPending, markSent } from "#features/orders/notices-out/deliver-notices.ts";
import { MAX_FILE_BYTES } from "#features/sheets/contract.ts";
import {
  FolderError,
  MAX_FILES,
  type Folder,
  type FolderFault,
  type FolderFile,
} from "#integrations/folders/folder.ts";
import { AppError } from "#platform/errors.ts";
import { toJson } from "#platform/db/json.ts";
import { COMPANY_FULL } from "#platform/quotas.ts";
import { bindRun, defineRun, type BoundRun } from "#platform/runs/define-run.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";
import { MINUTE_MS } from "#platform/time.ts";

const pollRun = defineRun({ kind: "orders.poll-folders", lane: () => "orders:folders", every: "minute" });

/** Folders looked at together: one that hangs holds up few others. */
const AT_ONCE = 4;
/** Failures of a server in a row, over half an hour, after which it is not polled any more. */
const MAX_FAILURES = 6;
/** Faults after which nothing is asked of a server again before an admin has looked: it may not be theirs. */
const NOT_RETRIED: ReadonlySet<FolderFault> = new Set([
  "host_key_changed",
  "sizes_differ",
  "address_not_allowed",
]);

export const folderRuns = (ctx: FoldersCtx): BoundRun[] => [bindRun(pollRun, pollFolders, ctx)];

/** Looks at every folder that is due, and takes the files that have stopped growing. */
async function pollFolders(ctx: FoldersCtx, { run, stop }: RunWork): Promise<Ending> {
  const due = await findDueFolders(ctx.db, ctx.clock.now());
  let next = 0;
  const work = async () => {
    for (let at = next++; at < due.length && !stop.aborted; at = next++) {
      const settings = due[at];
      if (settings) await pollOne(ctx, settings, { requestId: run.id, stop });
      run.noteProgress?.();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { state: stop.aborted ? "queued" : "done" };
}

type Work = { requestId: string; stop: AbortSignal };

async function pollOne(ctx: FoldersCtx, settings: StoredFolder, work: Work): Promise<void> {
  try {
    const folder = await openFolder(ctx, settings);
    try {
      await takeAgain(ctx, { settings, folder }, work);
      await takeFiles(ctx, { settings, folder }, work);
      await deliverNotices(ctx, { settings, folder });
    } finally {
      folder.close();
    }
  } catch (error) {
    if (error instanceof FolderError) return noteFailure(ctx, settings, error);
    // A failure of ours, or a secret that only another process can open: the folders of others go on.
    ctx.log.error({ err: error, realm: settings.realm_id }, "A folder of orders could not be looked at");
  }
}

/** While the database or the threads are busy nothing is taken: a change must not come before its order. */
const isPassing = (error: unknown): boolean => error instanceof AppError && error.status === 503;

async function takeFiles(
  ctx: FoldersCtx,
  { settings, folder }: { settings: StoredFolder; folder: Folder },
  work: Work,
): Promise<void> {
  // A program that writes a file piece by piece calls it so until it is whole.
  const files = (await folder.list()).filter(({ name }) => !/\.part$/i.test(name));
  const looks: Record<string, string> = Object.fromEntries(files.map((file) => [file.name, lookAt(file)]));
  for (const file of files) {
    if (work.stop.aborted) break;
    if (!isQuiet(settings.looks, file)) continue;
    try {
      await takeFile(ctx, { settings, folder, file }, work.requestId);
      delete looks[file.name];
    } catch (error) {
      if (error instanceof FolderError || isPassing(error)) throw error;
      // A fault of ours: the other files and the notices go on, and this one is tried again.
      ctx.log.error({ err: error, realm: settings.realm_id }, "A file of orders could not be taken");
    }
  }
  const now = ctx.clock.now();
  await changeFolder(ctx.db, settings, {
    state: "active",
    fault: null,
    failures: 0,
    polled_at: now,
    next_at: now,
    looks: toJson(looks),
  });
}

/** Delivers the notices that are due. Each try has the same name and bytes, so one that was delivered before a crash stays one. */
async function deliverNotices(
  ctx: FoldersCtx,
  { settings: { realm_id: realmId }, folder }: { settings: StoredFolder; folder: Folder },
): Promise<void> {
  for (const notice of await listPending(ctx, realmId)) {
    await folder.send(notice.fileName, notice.bytes);
    await markSent(ctx, realmId, [notice.id]);
  }
}

const lookAt = ({ size, modifiedAt }: FolderFile) => `${size} ${modifiedAt}`;

/** Whether a file is as it was at the look before. */
const isQuiet = (looks: Looks, file: FolderFile) =>
  Object.hasOwn(looks, file.name) && looks[file.name] === lookAt(file);

type Taking = { settings: StoredFolder; folder: Folder; file: FolderFile };

/**
 * Takes one file: accepted, then answered, then moved. After a crash in between it is there again, and found as taken: it is
 * only answered and moved.
 */
async function takeFile(
  ctx: FoldersCtx,
  { settings: { realm_id: realmId, polled_at: polledAt }, folder, file }: Taking,
  requestId: string,
): Promise<void> {
  const { name } = file;
  const isTooLarge = file.size > MAX_FILE_BYTES;
  const bytes = isTooLarge ? Buffer.alloc(0) : await folder.read(file);
  const taken =
    (await findTaken(ctx.db, realmId, { name, bytes, polledAt })) ??
    (await acceptFile(ctx, { realmId, name, bytes, isTooLarge, isAnswered: false }, requestId));
  if (taken.reply) await folder.send(`997-${digest(taken.reply)}.edi`, taken.reply);
  const isRefused = taken.results.every(({ result }) => result === "refused");
  await folder.move(name, isRefused ? "refused" : "done", `${stampName(ctx.clock.now())}-${name}`);
}

/** Each answer has a control number of its own. */
const digest = (reply: Uint8Array) => createHash("sha256").update(reply).digest("hex").slice(0, 16);

/**
 * Takes files in `done` again that the database, restored from an older backup, may not know. Their senders have their answers
 * already.
 */
async function takeAgain(
  ctx: FoldersCtx,
  { settings, folder }: { settings: StoredFolder; folder: Folder },
  { requestId, stop }: Work,
): Promise<void> {
  const { realm_id: realmId, polled_at: polledAt } = settings;
  if (settings.taken_up_to === null) return;
  const files = await folder.listDone(settings.taken_up_to);
  let upTo = settings.taken_up_to;
  for (const file of files) {
    if (stop.aborted) break;
    const name = file.name.replace(STAMP, "");
    const bytes = await folder.read(file, "done");
    if (!(await findTaken(ctx.db, realmId, { name, bytes, polledAt })))
      await acceptFile(ctx, { realmId, name, bytes, isTooLarge: false, isAnswered: true }, requestId);
    upTo = file.name;
  }
  const isDone = !stop.aborted && files.length < MAX_FILES;
  await changeFolder(ctx.db, settings, { taken_up_to: isDone ? null : upTo });
}

const STAMP = /^\d{8}T\d{9}Z-/;

type Received = { realmId: string; name: string; bytes: Buffer; isTooLarge: boolean; isAnswered: boolean };
type Taken = { results: readonly OrderDocumentResult[]; reply: Uint8Array | null };

async function acceptFile(
  ctx: FoldersCtx,
  { realmId, name, bytes, isTooLarge, isAnswered }: Received,
  requestId: string,
): Promise<Taken> {
  const read = isTooLarge
    ? refuseAll(`The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB.`)
    : await readOrderFile(ctx, { realmId, fileName: name, bytes, cells: [] }).catch(refuseUnreadable);
  const isEmpty = read.documents.length === 0;
  const known = isEmpty
    ? refuseAll("The file has no orders.")
    : { ...read, ...(isAnswered && { replies: [] }) };
  const audited = { ...ctx, ...auditBy(ctx, { userId: null, realmId, requestId }) };
  const incoming = { realmId, channel: "folder", fileName: name, bytes, by: "folder" } as const;
  return acceptDocuments(audited, incoming, known).catch((error: unknown) => {
    // The file stays in the folder.
    const isFull = error instanceof AppError && error.code === COMPANY_FULL;
    throw isFull ? new FolderError("no_space", { cause: error }) : error;
  });
}

/** A sheet that can't be understood without a user is refused; it can be added by hand, where its columns are asked about. */
function refuseUnreadable(error: unknown): ReadOrders {
  if (error instanceof AppError && error.status < 500) return refuseAll(error.message);
  throw error;
}

const refuseAll = (problem: string): ReadOrders => ({
  documents: [{ partner: "", document: { kind: "refused", poNumber: "", problems: [problem] } }],
  replies: [],
});

/** Notes a failure: it is tried again later each time, and at the end an admin is mailed, once. */
async function noteFailure(ctx: FoldersCtx, settings: StoredFolder, { fault }: FolderError): Promise<void> {
  const { realm_id: realmId } = settings;
  const failures = settings.failures + 1;
  const isStopped = NOT_RETRIED.has(fault) || failures >= MAX_FAILURES;
  ctx.log.warn({ realm: realmId, fault, failures }, "A folder of orders failed");
  const now = ctx.clock.now();
  await ctx.db.transaction().execute(async (tx) => {
    const isCurrent = await changeFolder(tx, settings, {
      state: isStopped ? "stopped" : "failing",
      fault,
      failures,
      next_at: new Date(now.getTime() + MINUTE_MS * 2 ** (failures - 1)),
    });
    if (!isStopped || !isCurrent) return;
    const { company, recipients } = await findContacts(tx, realmId);
    for (const recipient of recipients)
      await ctx.notify(tx, {
        kind: "order_folder_stopped",
        realmId,
        recipient,
        params: { company, problem: FAULTS[fault] },
      });
  });
}

import {
  attachPolicy,
  attachProof,
  SHIPPING_VENDOR,
  updateShipping,
  type ShippingDone,
} from "#features/books/index.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { batchCommand, readOurs, toFieldsPackage, toStored } from "#features/tracking/plan-writes.ts";
import { findFields } from "#features/tracking/rules-fields.ts";
import { changeFollowed } from "#features/tracking/store.ts";
import { markGone, saveWritten } from "#features/tracking/store-invoices.ts";
import { findLinked, type LinkedPackage } from "#features/tracking/store-packages.ts";
import {
  findBatch,
  findFile,
  findWrites,
  listOpenBatches,
  settleWrite,
  type Batch,
  type BatchWrite,
} from "#features/tracking/store-writes.ts";
import { isAttachedTo } from "#integrations/intuit/attach-file.ts";
import type { Db } from "#platform/db/connect.ts";
import type { RunWork } from "#platform/runs/types.ts";
import type { Evidence } from "#platform/writes/evidence.ts";
import type { Item, Operation } from "#platform/writes/operation.ts";
import { runWrites, type JobEnd } from "#platform/writes/run-writes.ts";
import { findOutcomes } from "#platform/writes/store.ts";

type Fenced = <T>(write: (tx: Db) => Promise<T>) => Promise<T>;
type Work = Pick<RunWork, "stop" | "sliceEnds"> & { realmId: string; isSentAlong: boolean; fenced: Fenced };

/** Calls at once for one company; Intuit allows ten. */
const CALLS = { callsAlone: 3 };

/** Makes planned writes, each once. @returns how each batch that is not done ended */
export async function writeInvoices(ctx: TrackingCtx, work: Work): Promise<JobEnd[]> {
  const ends: JobEnd[] = [];
  for (const batch of await listOpenBatches(ctx.db, work.realmId)) {
    if (work.stop.aborted) break;
    const end = await writeBatch(ctx, work, batch);
    if (end.kind !== "done") ends.push(end);
    if (end.kind === "halted") break;
  }
  return ends;
}

async function writeBatch(
  ctx: TrackingCtx,
  work: Work,
  { batch_id: batchId, operation }: Batch,
): Promise<JobEnd> {
  const { realmId, fenced, stop, sliceEnds } = work;
  const command = batchCommand(realmId, batchId);
  const done = new Map<string, ShippingDone>();
  const job = {
    command,
    vendor: SHIPPING_VENDOR,
    policy: ctx.writePolicy,
    concurrency: CALLS,
    withFence: <T>(write: (tx: Db) => Promise<T>) =>
      fenced(async (tx) => {
        const result = await write(tx);
        await saveOutcomes(ctx, tx, { realmId, batchId, done });
        return result;
      }),
    reconcileFrom: null,
    stop,
    sliceEnds,
    onProgress: () => Promise.resolve(),
  };
  return operation === "update"
    ? runWrites(ctx, { ...job, operation: await updateOperation(ctx, { realmId, batchId, done }) })
    : runWrites(ctx, {
        ...job,
        policy: attachPolicy(ctx.writePolicy),
        operation: attachOperation(ctx, { realmId, batchId, isSentAlong: work.isSentAlong }),
      });
}

type Update = {
  qboId: string;
  syncToken: string;
  fields: { shipDate?: string; shipVia?: string; trackingNumber?: string };
};

async function updateOperation(
  ctx: TrackingCtx,
  { realmId, batchId, done }: { realmId: string; batchId: string; done: Map<string, ShippingDone> },
) {
  const rows = await findBatch(ctx.db, realmId, batchId);
  const ids = rows.map(({ qbo_id }) => qbo_id);
  const packages = Map.groupBy(await findLinked(ctx.db, realmId, ids), ({ qbo_id }) => qbo_id);
  const writes = Map.groupBy(await findWrites(ctx.db, realmId, ids), ({ qbo_id }) => qbo_id);
  return updateShipping<Update>(ctx.books(realmId), {
    loadBodies: () => Promise.resolve(new Map(rows.map((row) => [row.id, toUpdate(row)]))),
    findWanted: ({ qboId }, { shipDate, shipVia, trackingNumber }) =>
      findFields(
        { shipDate, shipVia, trackingNumber },
        readOurs(writes.get(qboId) ?? []),
        (packages.get(qboId) ?? []).map(toFieldsPackage),
      ),
    done,
  });
}

function toUpdate({ qbo_id: qboId, current_token: syncToken, fields }: BatchWrite): Update {
  const { ship_date, ship_via, tracking_number } = fields ?? {};
  return {
    qboId,
    syncToken,
    fields: {
      ...(ship_date !== undefined && { shipDate: ship_date }),
      ...(ship_via !== undefined && { shipVia: ship_via }),
      ...(tracking_number !== undefined && { trackingNumber: tracking_number }),
    },
  };
}

type Attachment = {
  id: string;
  qboId: string;
  fileName: string;
  size: number;
  sha256: Uint8Array;
  note: string;
  includeOnSend: boolean;
  /** Before then the file may have been attached by a process whose work this database doesn't show. */
  knownSince: Date;
};

/**
 * A database may be older than the files in the books: after a restore all files made since the deliveries are read once, and
 * those that are there are adopted. Packages that were delivered while this process ran need no such read.
 */
function attachOperation(
  ctx: TrackingCtx,
  { realmId, batchId, isSentAlong }: { realmId: string; batchId: string; isSentAlong: boolean },
) {
  const books = ctx.books(realmId);
  const operation = attachProof<Attachment>(books, {
    db: ctx.db,
    realmId,
    loadBodies: () => loadAttachments(ctx, { realmId, batchId, isSentAlong }),
    loadFile: ({ id }) => findFile(ctx.db, realmId, id),
    isSearchedFirst: () => false,
  });
  const findRestored = async (items: readonly Item<Attachment>[]): Promise<Map<string, Evidence>> => {
    const old = items.filter(({ body }) => body.knownSince < ctx.openedAt);
    if (old.length === 0) return new Map();
    const since = new Date(Math.min(...old.map(({ body }) => body.knownSince.getTime())));
    const { data: files } = await books.findAttachmentsMadeSince(since);
    return new Map(
      old.flatMap(({ write, body }) => {
        const file = files.find((one) => one.FileName === body.fileName && isAttachedTo(one, body.qboId));
        const answer = { id: file?.Id ?? null, facts: {}, tid: null };
        return file ? [[write.part, { kind: "found", answer } as const] as const] : [];
      }),
    );
  };
  return {
    ...operation,
    checkPlanned: async (items: readonly Item<Attachment>[]) => {
      const found = await findRestored(items);
      const others = items.filter(({ write }) => !found.has(write.part));
      return new Map([...found, ...((await operation.checkPlanned?.(others)) ?? [])]);
    },
  } satisfies Operation<Attachment, Attachment, unknown>;
}

/** Clocks of UPS and of ours differ, and a process ends some time after its last write. */
const SPARE_MS = 3_600_000;

async function loadAttachments(
  ctx: TrackingCtx,
  { realmId, batchId, isSentAlong }: { realmId: string; batchId: string; isSentAlong: boolean },
): Promise<Map<string, Attachment>> {
  const rows = await findBatch(ctx.db, realmId, batchId);
  const linked = await findLinked(
    ctx.db,
    realmId,
    rows.map(({ qbo_id }) => qbo_id),
  );
  return new Map(
    rows.map((row) => {
      const packages = linked.filter(
        ({ qbo_id, number, state }) =>
          qbo_id === row.qbo_id && (row.number === null ? state !== "voided" : number === row.number),
      );
      return [row.id, toAttachment(row, packages, isSentAlong)];
    }),
  );
}

function toAttachment(
  row: BatchWrite,
  packages: readonly LinkedPackage[],
  includeOnSend: boolean,
): Attachment {
  const deliveries = packages.map(({ delivered }) => Date.parse(delivered?.at ?? "")).filter((at) => at > 0);
  const first = Math.min(row.planned_at.getTime(), ...deliveries);
  return {
    id: row.id,
    qboId: row.qbo_id,
    fileName: row.file_name ?? "",
    size: row.size ?? 0,
    sha256: row.sha256 ?? Buffer.alloc(0),
    note: "Proof of delivery",
    includeOnSend,
    knownSince: new Date(first - SPARE_MS),
  };
}

type Settled = { realmId: string; batchId: string; done: ReadonlyMap<string, ShippingDone> };

/** Records outcomes in the transaction that settles their calls, with the invoice as QuickBooks returned it. */
async function saveOutcomes(ctx: TrackingCtx, tx: Db, { realmId, batchId, done }: Settled): Promise<void> {
  const now = ctx.clock.now();
  const outcomes = await findOutcomes(tx, batchCommand(realmId, batchId));
  if (outcomes.length === 0) return;
  const open = new Map(
    (await findBatch(tx, realmId, batchId)).filter((row) => row.state === "open").map((row) => [row.id, row]),
  );
  for (const { part, state, cause } of outcomes) {
    const row = open.get(part);
    if (!row || state === "planned" || state === "sent") continue;
    const answer = state === "done" ? done.get(part) : undefined;
    await settleWrite(
      tx,
      { realmId, id: part },
      {
        state,
        cause,
        now,
        ...(answer && { fields: toStored(answer.written) }),
      },
    );
    if (cause?.code === "deleted" || cause?.code === "voided")
      await markGone(tx, realmId, { ids: [row.qbo_id], now });
    if (!answer) continue;
    const { invoice, dropped } = answer;
    await saveWritten(tx, realmId, {
      qbo_id: row.qbo_id,
      sync_token: invoice.syncToken,
      ship_date: invoice.shipDate || null,
      ship_via: invoice.shipVia,
      tracking_text: invoice.trackingNumber,
    });
    if (dropped.length > 0) await changeFollowed(tx, realmId, { shipping_fields: false });
  }
}

import {
  attachPolicy,
  attachProof,
  SHIPPING_VENDOR,
  updateFreight,
  updateShipping,
  type FreightUpdate,
  type ShippingDone,
} from "#features/books/index.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { toRead } from "#features/tracking/find-invoices.ts";
import {
  batchCommand,
  readOurs,
  UNLINKED,
  toFieldsPackage,
  toStored,
} from "#features/tracking/plan-writes.ts";
import { findFields } from "#features/tracking/rules-fields.ts";
import { changeFollowed, markInvoicesChanged, spendReads } from "#features/tracking/store.ts";
import { markGone, saveInvoices, saveWritten } from "#features/tracking/store-invoices.ts";
import { findLinked, type LinkedPackage } from "#features/tracking/store-packages.ts";
import {
  findBatch,
  findFile,
  findWrites,
  listNumbers,
  settleWrite,
  type Batch,
  type BatchWrite,
} from "#features/tracking/store-writes.ts";
import { isAttachedTo } from "#integrations/intuit/attach-file.ts";
import type { Books } from "#integrations/intuit/client.ts";
import type { Db } from "#platform/db/connect.ts";
import type { RunWork } from "#platform/runs/types.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";
import type { Item, Operation } from "#platform/writes/operation.ts";
import { runWrites, type JobEnd } from "#platform/writes/run-writes.ts";
import { findOutcomes } from "#platform/writes/store.ts";

type Fenced = <T>(write: (tx: Db) => Promise<T>) => Promise<T>;
type Work = Pick<RunWork, "stop" | "sliceEnds"> & { realmId: string; isSentAlong: boolean; fenced: Fenced };
type MeteredWork = Work & { books: Books };

/** Calls at once for one company; Intuit allows ten. */
const CALLS = { callsAlone: 3 };

/** Makes the planned writes of batches, each once. @returns how each batch that is not done ended */
export async function writeInvoices(
  ctx: TrackingCtx,
  work: Work,
  batches: readonly Batch[],
): Promise<JobEnd[]> {
  const ends: JobEnd[] = [];
  const { books, countReads } = countingReads(ctx.books(work.realmId));
  try {
    for (const batch of batches) {
      if (work.stop.aborted) break;
      const end = await writeBatch(ctx, { ...work, books }, batch);
      if (end.kind !== "done") ends.push(end);
      if (end.kind === "halted") break;
    }
    return ends;
  } finally {
    // Also of a batch that failed: its reads were made.
    if (countReads() > 0) await work.fenced((tx) => spendReads(tx, work.realmId, countReads()));
  }
}

/** Books that count their metered reads: one before a changed invoice is written again, and searches after lost answers. */
function countingReads(books: Books): { books: Books; countReads(): number } {
  let reads = 0;
  const count =
    <Given extends unknown[], Answer>(read: (...given: Given) => Answer) =>
    (...given: Given) => {
      reads += 1;
      return read(...given);
    };
  const counting = {
    ...books,
    readInvoice: count(books.readInvoice),
    findAttachments: count(books.findAttachments),
    findAttachmentsMadeSince: count(books.findAttachmentsMadeSince),
  };
  return { books: counting, countReads: () => reads };
}

async function writeBatch(
  ctx: TrackingCtx,
  work: MeteredWork,
  { batch_id: batchId, operation }: Batch,
): Promise<JobEnd> {
  const { realmId, books, fenced, stop, sliceEnds } = work;
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
  const batch = { realmId, batchId, books };
  switch (operation) {
    case "update":
      return runWrites(ctx, { ...job, operation: await updateOperation(ctx, { ...batch, done }) });
    case "freight":
      return runWrites(ctx, { ...job, operation: freightOperation(ctx, { ...batch, done }) });
    case "attach":
      return runWrites(ctx, {
        ...job,
        policy: attachPolicy(ctx.writePolicy),
        operation: await attachOperation(ctx, { ...batch, isSentAlong: work.isSentAlong }),
      });
  }
}

type OneBatch = { realmId: string; batchId: string; books: Books };

type Update = {
  qboId: string;
  syncToken: string;
  fields: { shipDate?: string; shipVia?: string; trackingNumber?: string };
};

async function updateOperation(
  ctx: TrackingCtx,
  { realmId, batchId, books, done }: OneBatch & { done: Map<string, ShippingDone> },
) {
  const rows = await findBatch(ctx.db, realmId, batchId);
  const ids = rows.map(({ qbo_id }) => qbo_id);
  const packages = Map.groupBy(await findLinked(ctx.db, realmId, ids), ({ qbo_id }) => qbo_id);
  const writes = Map.groupBy(await findWrites(ctx.db, realmId, ids), ({ qbo_id }) => qbo_id);
  const texts = new Map(rows.map((row) => [row.qbo_id, row.current_text]));
  return updateShipping<Update>(books, {
    loadBodies: () => Promise.resolve(new Map(rows.map((row) => [row.id, toUpdate(row)]))),
    findWanted: ({ qboId }, { shipDate, shipVia, trackingNumber }) =>
      // With another number it may have other packages: the next pass finds out.
      trackingNumber === texts.get(qboId)
        ? findFields(
            { shipDate, shipVia, trackingNumber },
            readOurs(writes.get(qboId) ?? []),
            (packages.get(qboId) ?? []).map(toFieldsPackage),
          )
        : null,
    done,
  });
}

const freightOperation = (
  ctx: TrackingCtx,
  { realmId, batchId, books, done }: OneBatch & { done: Map<string, ShippingDone> },
) =>
  updateFreight<FreightUpdate>(books, {
    loadBodies: async () =>
      new Map(
        (await findBatch(ctx.db, realmId, batchId)).flatMap(({ id, qbo_id: qboId, freight }) =>
          freight
            ? [
                [
                  id,
                  { qboId, cents: freight.cents, oursCents: freight.instead_of, currency: freight.currency },
                ],
              ]
            : [],
        ),
      ),
    done,
  });

/** In the version for which it was planned: one that users changed since is refused for it, and compared again. */
function toUpdate({ qbo_id: qboId, sync_token: syncToken, fields }: BatchWrite): Update {
  const { ship_date, ship_via, tracking_number } = fields ?? {};
  return {
    qboId,
    syncToken: syncToken ?? "",
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
  /** Whether the invoice still has all packages of the file. */
  isLinked: boolean;
  /** Earliest time at which the file can have been attached by a process whose work this database doesn't show. */
  knownSince: Date;
};

/**
 * A database may be older than the files in the books: after a restore all files made since the deliveries are read once, and
 * those that are there are adopted. Packages delivered after this process opened the database need no such read, which is
 * metered.
 */
async function attachOperation(
  ctx: TrackingCtx,
  { realmId, batchId, books, isSentAlong }: OneBatch & { isSentAlong: boolean },
) {
  const openedAt = await ctx.findOpenedAt();
  const operation = attachProof<Attachment>(books, {
    db: ctx.db,
    realmId,
    loadBodies: () => loadAttachments(ctx, { realmId, batchId, isSentAlong }),
    loadFile: ({ id }) => findFile(ctx.db, realmId, id),
    isSearchedFirst: () => false,
  });
  const findRestored = async (items: readonly Item<Attachment>[]): Promise<Map<string, Evidence>> => {
    const old = items.filter(({ body }) => body.knownSince < openedAt);
    if (old.length === 0) return new Map();
    const since = new Date(Math.min(...old.map(({ body }) => body.knownSince.getTime())));
    const { data: files } = await books.findAttachmentsMadeSince(since);
    return new Map(
      old.flatMap(({ write, body }) => {
        const file = files.find(
          (attached) => attached.FileName === body.fileName && isAttachedTo(attached, body.qboId),
        );
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
      return new Map([
        ...excludeUnlinked(others),
        ...((await operation.checkPlanned?.(others)) ?? []),
        ...found,
      ]);
    },
    lookUp: async (items: readonly Item<Attachment>[]) =>
      new Map([...excludeUnlinked(items), ...(await operation.lookUp(items))]),
  } satisfies Operation<Attachment, Attachment, unknown>;
}

/** A user took a number off the invoice while the file waited for QuickBooks. */
const excludeUnlinked = (items: readonly Item<Attachment>[]): [string, Evidence][] =>
  items
    .filter(({ body }) => !body.isLinked)
    .map(({ write }) => [write.part, { kind: "excluded", cause: { code: UNLINKED, params: {}, tid: null } }]);

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
      const numbers = listNumbers(row);
      const packages = linked.filter(
        ({ qbo_id, number }) => qbo_id === row.qbo_id && numbers.includes(number),
      );
      const isLinked = packages.length === numbers.length;
      return [row.id, toAttachment(row, packages, { isLinked, includeOnSend: isSentAlong })];
    }),
  );
}

function toAttachment(
  row: BatchWrite,
  packages: readonly LinkedPackage[],
  about: Pick<Attachment, "isLinked" | "includeOnSend">,
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
    ...about,
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
        ...(answer && row.operation === "update" && { fields: toStored(answer.written) }),
      },
    );
    if (state !== "done") await noteRefusal(tx, row, { cause, now });
    if (!answer) continue;
    const { invoice, dropped, written } = answer;
    const isOnlyOurs =
      Object.keys(written).length > 0 && Number(invoice.syncToken) === Number(row.current_token) + 1;
    // Users changed it meanwhile: later reads show the version that is stored now, and would be skipped.
    if (!isOnlyOurs)
      await saveInvoices(tx, realmId, { invoices: [toRead(invoice)], since: invoice.txnDate, now });
    await saveWritten(tx, realmId, {
      qbo_id: row.qbo_id,
      sync_token: invoice.syncToken,
      ship_date: invoice.shipDate || null,
      ship_via: invoice.shipVia,
      tracking_text: invoice.trackingNumber,
      currency: invoice.currency,
      shipping_cents: invoice.shippingCents,
      is_paid: invoice.isPaid,
    });
    if (dropped.length > 0) await changeFollowed(tx, realmId, { shipping_fields: false });
  }
}

async function noteRefusal(
  tx: Db,
  { realm_id: realmId, qbo_id: id, operation }: BatchWrite,
  { cause, now }: { cause: Cause | null; now: Date },
): Promise<void> {
  // Reports of its invoice were taken for ours while it was open.
  if (operation !== "attach") await markInvoicesChanged(tx, realmId, { created: null, now });
  if (cause?.code === "deleted" || cause?.code === "voided") await markGone(tx, realmId, { ids: [id], now });
}

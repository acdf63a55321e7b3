import { randomUUID } from "node:crypto";
import { SHIPPING_VENDOR, type BooksInvoice, type ShippingFields } from "#features/books/shipping/rules.ts";
import {
  updateShipping,
  type ShippingDone,
  type ShippingUpdate,
} from "#features/books/shipping/update-shipping.ts";
import type { Books } from "#integrations/intuit/client.ts";
import { ACME, openBooks, startIntuit } from "#integrations/intuit/fixtures/open-books.ts";
import type { Ctx } from "#platform/ctx.ts";
import { systemIds } from "#platform/ids.ts";
import type { Operation } from "#platform/writes/operation.ts";
import { WRITE_POLICY, type WritePolicy } from "#platform/writes/policy.ts";
import { runWrites } from "#platform/writes/run-writes.ts";
import { findOutcomes, planWrites } from "#platform/writes/store.ts";
import { createTestDatabase } from "./database.ts";

/** The books of a simulated company whose shipping fields are switched on, and a ledger of writes. */
export async function openShipping() {
  const intuit = await startIntuit();
  const { admins } = (await intuit.control("GET", `/companies/${ACME}`)) as { admins: string[] };
  const database = await createTestDatabase();
  const { books } = await openBooks(intuit, { sub: admins[0] ?? "", realmId: ACME, db: database.db });
  const ctx: Ctx = { db: database.db, clock: intuit.clock, ids: systemIds, log: intuit.log };
  const limits = {
    perMinute: null,
    perSecond: null,
    batchPerMinute: null,
    batchPerMinuteRealm: null,
    atOnce: null,
  };
  const allowShipping = (isAllowed: boolean) =>
    intuit.control("PATCH", `/companies/${ACME}`, {
      limits,
      preferences: { SalesFormsPrefs: { AllowShipping: isAllowed } },
    });
  await allowShipping(true);
  const close = async () => {
    await intuit.close();
    await database.drop();
  };
  return { intuit, books, ctx, allowShipping, close };
}

export type ShippingBooks = Awaited<ReturnType<typeof openShipping>>;

type Run<Body, Answer> = {
  bodies: readonly Body[];
  vendorKey(body: Body): string | null;
  /** Set for a run that was taken over, or whose ledger was put back. */
  reconcileFrom?: Date;
  callsAlone?: number;
  policy?: WritePolicy;
  operation(loadBodies: () => Promise<ReadonlyMap<string, Body>>): Operation<Body, Body, Answer>;
};

/** Brings writes of these bodies to their outcomes as a run does, and lets the waits between pass. */
export async function settle<Body, Answer>(
  { ctx, intuit }: Pick<ShippingBooks, "ctx" | "intuit">,
  { bodies, vendorKey, operation, reconcileFrom, callsAlone = 2, policy = WRITE_POLICY }: Run<Body, Answer>,
) {
  const command = { realmId: ACME, subject: randomUUID(), commandId: randomUUID() };
  const byPart = new Map(bodies.map((body, at) => [String(at), body]));
  const writes = [...byPart].map(([part, body], seq) => ({
    part,
    seq,
    operation: "ship",
    requestId: randomUUID(),
    fingerprint: part,
    vendorKey: vendorKey(body),
  }));
  await planWrites(ctx.db, command, { vendor: SHIPPING_VENDOR, writes, now: ctx.clock.now() });
  for (;;) {
    const end = await runWrites(ctx, {
      command,
      vendor: SHIPPING_VENDOR,
      operation: operation(() => Promise.resolve(byPart)),
      policy,
      concurrency: { callsAlone },
      withFence: (write) => ctx.db.transaction().execute(write),
      reconcileFrom: reconcileFrom ? { since: reconcileFrom, onDone: () => Promise.resolve() } : null,
      stop: new AbortController().signal,
      sliceEnds: () => false,
      onProgress: () => Promise.resolve(),
    });
    if (end.kind === "halted") throw new Error(`It was halted: ${end.cause.code}.`);
    if (end.kind === "done") return findOutcomes(ctx.db, command);
    if (end.kind !== "waiting") continue;
    const advanceMs = end.until.getTime() - ctx.clock.now().getTime();
    intuit.clock.advance(advanceMs);
    await intuit.control("POST", "/clock", { advanceMs });
  }
}

/** As tracking does: what is missing on the invoice is wanted. */
const findMissing = ({ fields }: ShippingUpdate, invoice: BooksInvoice): ShippingFields | null => {
  const names = ["shipDate", "shipVia", "trackingNumber"] as const;
  const missing = names.filter((name) => fields[name] !== undefined && invoice[name] === "");
  return missing.length === 0 ? null : Object.fromEntries(missing.map((name) => [name, fields[name]]));
};

/** Writes what is missing. */
export async function writeMissing(
  open: Pick<ShippingBooks, "ctx" | "intuit"> & { books: Books },
  bodies: readonly ShippingUpdate[],
  callsAlone = 2,
) {
  const done = new Map<string, ShippingDone>();
  const outcomes = await settle(open, {
    bodies,
    callsAlone,
    vendorKey: ({ qboId, syncToken }) => `${qboId} ${syncToken}`,
    operation: (loadBodies) => updateShipping(open.books, { loadBodies, findWanted: findMissing, done }),
  });
  return { outcomes, done };
}

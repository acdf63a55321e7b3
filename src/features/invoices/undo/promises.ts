import * as z from "zod";
import { findUpload } from "#features/invoices/ledger/store.ts";
import { undoRuns } from "#features/invoices/runs.ts";
import type { Fold, Journal } from "#integrations/objects/journal.ts";
import type { Db } from "#platform/db/connect.ts";
import { addRun } from "#platform/runs/store.ts";

/** An undo whose calls QuickBooks may get from then on. */
const undo = z.object({
  kind: z.literal("undo"),
  realm: z.string(),
  upload: z.string(),
  run: z.string(),
  action: z.enum(["void", "delete"]),
  by: z.string(),
  at: z.iso.datetime(),
});

type PromisedUndo = z.output<typeof undo>;

const PROMISED: Fold<Map<string, PromisedUndo>> = {
  begin: () => new Map(),
  note: (undos, line) => {
    const found = undo.safeParse(line).data;
    if (found) undos.set(found.run, found);
  },
};

/**
 * Notes an undo before its first call.
 * @returns whether it is one that a restored database repeats: what is gone then was removed by us
 */
export async function promiseUndo(
  journal: Journal,
  promised: Omit<PromisedUndo, "kind">,
): Promise<{ isRepeated: boolean }> {
  const known = (await journal.read(PROMISED)).get(promised.run);
  if (!known) await journal.append({ kind: "undo", ...promised } satisfies PromisedUndo);
  return { isRepeated: known !== undefined && known.at < promised.at };
}

/** Queues the undos since a time that a restored database doesn't have: invoices that they removed are undone in it too. */
export async function repeatUndos(
  { db, journal }: { db: Db; journal: Journal },
  { since, now }: { since: Date; now: Date },
): Promise<void> {
  for (const { realm: realmId, upload, run, action, by, at } of (await journal.read(PROMISED)).values()) {
    if (new Date(at) < since || !(await findUpload(db, realmId, upload))) continue;
    const requested = { realmId, id: run, subject: upload, requestedBy: by, requestedAt: now };
    await addRun(db, undoRuns[action], requested);
  }
}

import * as z from "zod";
import type { EarlierUndo } from "#features/books/index.ts";
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

/** It has ended: done, canceled, or failed for good. */
const undoEnd = z.object({ kind: z.literal("undo_end"), run: z.string(), at: z.iso.datetime() });

type PromisedUndo = z.output<typeof undo>;
type Promised = { undos: Map<string, PromisedUndo>; ended: Set<string> };

const PROMISED: Fold<Promised> = {
  begin: () => ({ undos: new Map(), ended: new Set() }),
  note: ({ undos, ended }, line) => {
    const found = undo.safeParse(line).data;
    if (found) undos.set(found.run, found);
    const end = undoEnd.safeParse(line).data;
    if (end) ended.add(end.run);
  },
};

/**
 * Notes an undo before its first call.
 * @returns `unfinished` if a restored database repeats it: what is gone then was removed by us. `ended` if it had ended
 *   before: it is over for the rest too
 */
export async function promiseUndo(
  journal: Journal,
  promised: Omit<PromisedUndo, "kind">,
): Promise<EarlierUndo> {
  const { undos, ended } = await journal.read(PROMISED);
  const known = undos.get(promised.run);
  if (ended.has(promised.run)) return "ended";
  if (!known) await journal.append({ kind: "undo", ...promised } satisfies PromisedUndo);
  return known !== undefined && known.at < promised.at ? "unfinished" : "none";
}

/** Notes that an undo has ended. */
export const noteUndoEnd = (journal: Journal, run: string, at: Date): Promise<void> =>
  journal.append({ kind: "undo_end", run, at: at.toISOString() } satisfies z.output<typeof undoEnd>);

/** Queues the undos since a time that a restored database doesn't have: invoices that they removed are undone in it too. */
export async function repeatUndos(
  { db, journal }: { db: Db; journal: Journal },
  { since, now }: { since: Date; now: Date },
): Promise<void> {
  for (const { realm: realmId, upload, run, action, by, at } of (
    await journal.read(PROMISED)
  ).undos.values()) {
    if (new Date(at) < since || !(await findUpload(db, realmId, upload))) continue;
    const requested = { realmId, id: run, subject: upload, requestedBy: by, requestedAt: now };
    await addRun(db, undoRuns[action], requested);
  }
}

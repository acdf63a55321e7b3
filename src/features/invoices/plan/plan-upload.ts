import { hash } from "node:crypto";
import { runInWorker } from "#formats/xlsx/run-in-worker.ts";
import type { Db } from "#platform/db/connect.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { readListsAndChoices } from "#features/invoices/plan/read-lists.ts";
import { unpackInvoices, type PackedPlan } from "#features/invoices/plan/rules-packed.ts";
import type { BooksLists, PlannedInvoice, Problem } from "#features/invoices/plan/rules-plan.ts";
import type { Upload } from "#features/invoices/store.ts";
import { allOrNothing, fatesOf, splitInvoice, type Fate } from "#features/invoices/plan/rules-repeats.ts";
import {
  findEqualEntries,
  findSameFileEntries,
  type EqualEntry,
} from "#features/invoices/plan/store-earlier.ts";
import { FIRST_SYNC_TOKEN, isGone, judgeInvoice } from "#features/invoices/undo/rules.ts";
import { addEntries, markPlanned, type Held, type NewEntry } from "#features/invoices/post/store-ledger.ts";

/**
 * What a check of a workbook gives: its ledger, which can be read once, and remarks on the whole file. `behindUndo`:
 * takes invoices that it leaves out from the books; the plan is to be made again after that.
 */
export type LedgerPlan = {
  entries: Iterable<NewEntry>;
  notes: Problem[];
  behindUndo: string | null;
  /** How many are left out because another file had an equal one. */
  equalInvoices: number;
};

/**
 * Invoices of other files are compared this far back: a year's workbook is corrected, or grows, until after its end.
 * Later an equal one is taken for a new one.
 */
const EQUAL_BACK_MS = 400 * 24 * 3_600_000;

/**
 * Checks a whole workbook against the books: every data row belongs to one entry, and an entry with an error is never
 * sent. Nothing is written anywhere.
 */
export async function planUpload(ctx: InvoicesCtx, held: Held, upload: Upload): Promise<LedgerPlan> {
  if (upload.dataRows === 0) return { entries: [], notes: [], behindUndo: null, equalInvoices: 0 };
  const bytes = await ctx.objects.read(upload.objectKey);
  const lists = await readListsAndChoices(ctx, held.realmId);
  const plan = await checkNumbers(ctx, { held, bytes, lists });
  const sameFile = await findSameFileEntries(ctx.db, upload);
  const known = await findEqualEntries(ctx.db, upload, {
    marks: upload.withEqual
      ? []
      : plan.heads.flatMap(({ docNumber, mark }) => (docNumber === null && mark !== null ? [mark] : [])),
    since: new Date(ctx.clock.now().getTime() - EQUAL_BACK_MS),
  });
  const equal = await dropGone(ctx, held, known);
  const fates = fatesOf(plan.heads, { sameFile, equal });
  const entries = entriesOf(held, plan, upload.mode === "file" ? allOrNothing(fates) : fates);
  const equalInvoices = fates.filter(({ isEqual }) => isEqual).length;
  const behindUndo = equal.find(({ undoId }) => undoId !== null)?.undoId ?? null;
  return { entries, notes: plan.notes, behindUndo, equalInvoices };
}

/** Others may have deleted or voided posted invoices in QuickBooks since: those stand for nothing any more. */
async function dropGone(ctx: InvoicesCtx, held: Held, equal: readonly EqualEntry[]): Promise<EqualEntry[]> {
  const ids = equal.flatMap(({ state, qboId }) => (state === "posted" && qboId !== null ? [qboId] : []));
  if (ids.length === 0) return [...equal];
  const { data } = await ctx.books(held.realmId).findInvoicesById(ids);
  const found = new Map(data.map((invoice) => [invoice.Id, invoice]));
  return equal.filter(({ state, qboId, docNumber, syncToken }) => {
    if (state !== "posted" || qboId === null) return true;
    const posted = { number: docNumber, syncToken: syncToken ?? FIRST_SYNC_TOKEN };
    const left = judgeInvoice(posted, found.get(qboId), null);
    return left === null || !isGone(left.reason);
  });
}

/** The invoices are unpacked as the ledger is written, never all at once. */
function* entriesOf(held: Held, plan: PackedPlan, fates: readonly Fate[]): Generator<NewEntry> {
  let seq = 0;
  let place = 0;
  for (const invoice of unpackInvoices(plan)) {
    const [fate, head] = [fates[place], plan.heads[place]];
    if (!fate || !head) throw new Error("A packed plan has more invoices than heads.");
    const parts = fate.apart ? splitInvoice(invoice, fate.apart) : [{ invoice, fate }];
    for (const part of parts) {
      yield toEntry(held, part.invoice, { seq, fate: part.fate, mark: head.mark });
      seq += 1;
    }
    place += 1;
  }
}

/** Writes the ledger of an upload. From here on it can be posted. */
export async function writePlan(tx: Db, held: Held, { entries, notes }: LedgerPlan): Promise<void> {
  await addEntries(tx, held, entries);
  await markPlanned(tx, held, notes);
}

/** Plans once; only when numbers of the file are taken in the books it plans again, knowing them. */
async function checkNumbers(
  ctx: InvoicesCtx,
  { held, bytes, lists }: { held: Held; bytes: Uint8Array; lists: BooksLists },
): Promise<PackedPlan> {
  const plan = await planInThread(bytes, lists);
  const numbers = plan.heads.flatMap(({ docNumber, isGood }) => (docNumber && isGood ? [docNumber] : []));
  if (numbers.length === 0) return plan;
  const { data } = await ctx.books(held.realmId).findInvoicesByNumber(numbers);
  if (data.invoices.length === 0) return plan;
  const usedNumbers = new Map(
    data.invoices.map(({ Id, DocNumber, CustomerRef, TotalAmt, PrivateNote }) => [
      DocNumber ?? "",
      {
        id: Id,
        customer: CustomerRef?.name ?? "",
        voided: TotalAmt === 0 && (PrivateNote ?? "").startsWith("Voided"),
      },
    ]),
  );
  return planInThread(bytes, { ...lists, usedNumbers });
}

const planInThread = (bytes: Uint8Array, lists: BooksLists) =>
  runInWorker<PackedPlan>(new URL("./plan-workbook.ts", import.meta.url), { bytes, input: lists });

function toEntry(
  held: Held,
  invoice: PlannedInvoice,
  { seq, fate, mark }: { seq: number; fate: Fate; mark: string | null },
): NewEntry {
  const { key, rows, docNumber, customerName, amountCents, currency, draft, problems } = invoice;
  return {
    key,
    seq,
    rows,
    docNumber,
    customerName,
    amountCents,
    currency,
    draft,
    problems,
    requestId: requestIdOf(held, key),
    state: fate.state,
    message: fate.message,
    mark: draft && mark,
  };
}

/** requestid of one ledger row: the same row gives the same id for ever, at most 50 characters. */
function requestIdOf(held: Held, key: string): string {
  return hash("sha256", `${held.realmId}\n${held.id}\n${key}\n0`, "base64url").slice(0, 40);
}

import { hash } from "node:crypto";
import { runInWorker } from "#formats/xlsx/run-in-worker.ts";
import type { Db } from "#platform/db/connect.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { readListsAndChoices } from "#features/invoices/read-lists.ts";
import { unpackInvoices, type InvoiceHead, type PackedPlan } from "#features/invoices/rules-packed.ts";
import type { BooksLists, PlannedInvoice, Problem } from "#features/invoices/rules-plan.ts";
import type { Upload } from "#features/invoices/store.ts";
import {
  addEntries,
  findEarlierEntries,
  markPlanned,
  type EarlierEntry,
  type Held,
  type NewEntry,
} from "#features/invoices/store-ledger.ts";

/** What a check of a workbook gives: its ledger, which can be read once, and remarks on the whole file. */
export type LedgerPlan = { entries: Iterable<NewEntry>; notes: Problem[] };

/**
 * Checks a whole workbook against the books: every data row belongs to one entry, and an entry with an error is never
 * sent. Nothing is written anywhere.
 */
export async function planUpload(ctx: InvoicesCtx, held: Held, upload: Upload): Promise<LedgerPlan> {
  if (upload.dataRows === 0) return { entries: [], notes: [] };
  const bytes = await ctx.objects.read(upload.objectKey);
  const lists = await readListsAndChoices(ctx, held.realmId);
  const plan = await checkNumbers(ctx, { held, bytes, lists });
  const findEarlier = byRow(await findEarlierEntries(ctx.db, held, upload.sha256));
  const fates = plan.heads.map((head) => fateOf(head, findEarlier(head.rows)));
  const entries = entriesOf(held, plan, upload.mode === "file" ? allOrNothing(fates) : fates);
  return { entries, notes: plan.notes };
}

/** The invoices are unpacked as the ledger is written, never all at once. */
function* entriesOf(held: Held, plan: PackedPlan, fates: readonly Fate[]): Generator<NewEntry> {
  let seq = 0;
  for (const invoice of unpackInvoices(plan)) {
    const fate = fates[seq];
    if (!fate) throw new Error("A packed plan has more invoices than heads.");
    yield toEntry(held, invoice, { seq, fate });
    seq += 1;
  }
}

/**
 * Finds the earlier entry that has a row of an invoice. Rows of the very same file are the same; keys are not, since
 * columns may have been chosen otherwise meanwhile.
 */
function byRow(earlier: readonly EarlierEntry[]) {
  const entryOf = new Map(earlier.flatMap((entry) => entry.rows.map((row) => [row, entry] as const)));
  return (rows: readonly number[]) => {
    const found = rows.flatMap((row) => entryOf.get(row) ?? []);
    return found.find(({ state }) => state !== "unknown") ?? found[0];
  };
}

/** Writes the ledger of an upload. From here on it can be posted. */
export async function writePlan(tx: Db, held: Held, { entries, notes }: LedgerPlan): Promise<void> {
  await addEntries(tx, held, entries);
  await markPlanned(tx, held, notes);
}

/** How an invoice enters the ledger, and why. */
type Fate = Pick<NewEntry, "state" | "message">;

function fateOf({ isGood }: InvoiceHead, earlier: EarlierEntry | undefined): Fate {
  if (earlier) return { state: "skipped", message: skippedSentence(earlier) };
  return { state: isGood ? "ready" : "rejected", message: "" };
}

/** Where the file is to be posted whole or not at all, one error holds all of it back. */
function allOrNothing(fates: Fate[]): Fate[] {
  const faulty = fates.filter(({ state }) => state === "rejected").length;
  if (faulty === 0) return fates;
  const invoices = faulty === 1 ? "1 invoice has errors" : `${faulty} invoices have errors`;
  const message = `Not posted: you asked for all or nothing, and ${invoices}. Correct them and upload the file again.`;
  return fates.map((fate) => (fate.state === "ready" ? { state: "stopped", message } : fate));
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
  { key, rows, docNumber, customerName, amountCents, currency, draft, problems }: PlannedInvoice,
  { seq, fate }: { seq: number; fate: Fate },
): NewEntry {
  const requestId = requestIdOf(held, key);
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
    requestId,
    ...fate,
  };
}

/** requestid of one ledger row: the same row gives the same id for ever, at most 50 characters. */
function requestIdOf(held: Held, key: string): string {
  return hash("sha256", `${held.realmId}\n${held.id}\n${key}\n0`, "base64url").slice(0, 40);
}

function skippedSentence({ state, fileName, uploadedAt, docNumber }: EarlierEntry): string {
  const when = `the same file was uploaded as "${fileName}" on ${uploadedAt.toISOString().slice(0, 10)}`;
  if (state === "unknown")
    return `Not sent: ${when}, and QuickBooks never told whether this invoice was stored. Look for it in QuickBooks; if it is not there, give it a new number (or change the row) and upload again.`;
  if (state !== "posted")
    return `Not sent again: ${when}, and that upload was still at work on this invoice. See its results.`;
  const name = docNumber ? ` as invoice ${docNumber}` : "";
  return `Not sent again: ${when}, and this invoice is in QuickBooks${name}.`;
}

import { hash } from "node:crypto";
import { runInWorker } from "#formats/xlsx/run-in-worker.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { findStanding } from "#features/invoices/plan/find-standing.ts";
import { readListsAndChoices } from "#features/invoices/plan/read-lists.ts";
import { unpackInvoices, type PackedPlan } from "#features/invoices/plan/rules-packed.ts";
import type { BooksLists, PlannedInvoice } from "#features/invoices/plan/rules-plan.ts";
import type { Problem } from "#features/invoices/workbook/rules-problems.ts";
import type { Upload } from "#features/invoices/store.ts";
import {
  allOrNothing,
  fatesOf,
  goneReason,
  splitInvoice,
  type Fate,
} from "#features/invoices/plan/rules-repeats.ts";
import {
  findEarlier,
  type Earlier,
  type EqualEntry,
  type EqualSearch,
} from "#features/invoices/plan/store-earlier.ts";
import type { Held, NewEntry } from "#features/invoices/post/store-ledger.ts";

/**
 * What a check of a workbook gives: its ledger, which can be read once, and remarks on the whole file. `behindUndo`:
 * takes invoices that it leaves out from the books; the plan is to be made again after that.
 */
export type LedgerPlan = {
  entries: Iterable<NewEntry>;
  notes: Problem[];
  behindUndo: string | null;
  /** What is left out because other files had equal ones: how many invoices, and the uploads that had them. */
  equal: LeftOut;
  /** What it goes by, for which upload, and how that was looked for. */
  basis: { upload: Upload; search: EqualSearch; earlier: Earlier };
};

export type LeftOut = { invoices: number; uploadIds: readonly string[] };

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
  const since = new Date(ctx.clock.now().getTime() - EQUAL_BACK_MS);
  if (upload.dataRows === 0) {
    const search = { marks: [], since };
    const basis = { upload, search, earlier: await findEarlier(ctx.db, upload, search) };
    return { entries: [], notes: [], behindUndo: null, equal: { invoices: 0, uploadIds: [] }, basis };
  }
  const bytes = await ctx.objects.read(upload.objectKey);
  const lists = await readListsAndChoices(ctx, held.realmId);
  const plan = await checkNumbers(ctx, { held, bytes, lists });
  const marks = plan.heads.flatMap(({ docNumber, mark }) =>
    docNumber === null && mark !== null ? [mark] : [],
  );
  const search = { marks, since };
  const earlier = await findEarlier(ctx.db, upload, search);
  const standing = await findStanding(ctx, held.realmId, earlier);
  const equal = earlier.equal.filter((entry) => !goneReason(entry, standing));
  const fates = fatesOf(plan.heads, { sameFile: earlier.sameFile, equal, standing });
  const entries = entriesOf(held, plan, upload.mode === "file" ? allOrNothing(fates) : fates);
  const behindUndo = equal.find(({ undoId }) => undoId !== null)?.undoId ?? null;
  return {
    entries,
    notes: plan.notes,
    behindUndo,
    equal: leftOut(plan, fates, equal),
    basis: { upload, search, earlier },
  };
}

/** Of equal invoices in several uploads all are named, not only the one that a sentence tells of. */
function leftOut({ heads }: PackedPlan, fates: readonly Fate[], equal: readonly EqualEntry[]): LeftOut {
  const left = heads.filter((_, place) => fates[place]?.isEqual);
  const marks = new Set(left.map(({ mark }) => mark));
  const uploadIds = new Set(equal.flatMap(({ mark, uploadId }) => (marks.has(mark) ? [uploadId] : [])));
  return { invoices: left.length, uploadIds: [...uploadIds] };
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

import type { Corrected } from "#formats/table/corrections.ts";
import { rowMarkKey } from "#formats/table/row-mark-keys.ts";
import { headerKey } from "#formats/table/header-text.ts";
import { sheetKey } from "#formats/table/several-sheets.ts";
import type { Problem } from "#formats/table/problem.ts";
import {
  type BeingPosted,
  findEqualInvoices,
  findNameChoices,
  type InvoiceToMake,
  type PostedInvoice,
  readBooksStatus,
  readLists,
  readUsedNumbers,
  type UsedNumbers,
} from "#features/books/index.ts";
import { findTimeZone } from "#features/companies/index.ts";
import { dayIn } from "#formats/text/phrases.ts";
import type { ThreadTask } from "#platform/threads/run-in-thread.ts";
import {
  findColumnChoices,
  findColumnChoosers,
  findDateOrder,
  readInThread,
} from "#features/sheets/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { type PackedPlan, unpackInvoices } from "#features/invoices/plan/rules-packed.ts";
import type { PlannedInvoice, PlanLists } from "#features/invoices/plan/rules.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import { changeUpload, lockPlans, type Upload } from "#features/invoices/ledger/store.ts";
import {
  allOrNothing,
  decideOutcomes,
  goneReason,
  type PlanOutcome,
  splitInvoice,
} from "#features/invoices/plan/rules-dedupe.ts";
import {
  type Earlier,
  type EarlierEntry,
  type EqualEntry,
  type EqualSearch,
  findEarlier,
  findPostedByIds,
  findPostedNumbers,
} from "#features/invoices/plan/store-earlier.ts";
import { addEntries, type NewEntry, type UploadRun } from "#features/invoices/ledger/store-entries.ts";
import { createCommand, findRivals } from "#features/invoices/ledger/store-writes.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { isDeepStrictEqual } from "node:util";
import { toJson } from "#platform/db/json.ts";
import type { Db } from "#platform/db/connect.ts";
import { DAY_MS } from "#platform/time.ts";

/**
 * Plan of an upload: its ledger, and remarks on the file. `pendingUndo`: an open undo that removes invoices
 * which the plan skips as posted; the plan is repeated after it.
 */
export type LedgerPlan = {
  entries: Iterable<NewEntry>;
  /** Whether the company numbers its invoices itself; then QuickBooks refuses a number twice. */
  takesNumbers: boolean;
  /** Data rows of the file as read now. */
  dataRows: number;
  notes: Problem[];
  /** Cells that users corrected, with the file's own values. */
  corrected: Corrected[];
  pendingUndo: string | null;
  /** Invoices left out because other files had equal ones: their number, and the uploads that had them. */
  equal: LeftOut;
  /** Basis of the plan: the upload, the search for earlier invoices, and its result. */
  basis: { upload: Upload; search: EqualSearch; earlier: Earlier };
};

export type LeftOut = { invoices: number; uploadIds: readonly string[] };

/**
 * Age limit for comparing invoices of other files: a year's workbook is corrected or extended until after the
 * year ends. An equal invoice that is older counts as a different one.
 */
const EQUAL_BACK_MS = 400 * DAY_MS;

/**
 * Checks a whole workbook against the books: every data row belongs to one entry, and an entry with an error
 * is never sent. Writes nothing.
 */
export async function planUpload(
  ctx: InvoicesCtx,
  uploadRun: UploadRun,
  upload: Upload,
): Promise<LedgerPlan> {
  const since = new Date(ctx.clock.now().getTime() - EQUAL_BACK_MS);
  const task = { bytes: () => ctx.objects.read(upload.objectKey), owner: uploadRun.realmId };
  const known = upload.dataRows === 0 ? undefined : await readListsAndChoices(ctx, upload);
  const corrections = upload.check?.corrections ?? [];
  const lists = known && { ...known, corrections };
  const { plan, posted: postedNumbers } = lists
    ? await checkNumbers(ctx, { uploadRun, task, lists, upload })
    : {
        plan: { dataRows: 0, notes: [], heads: [], batches: [], corrected: corrections },
        posted: NO_NUMBERS,
      };
  const search = {
    equal: plan.heads.flatMap(({ docNumber: number, fingerprint, fileFingerprint }) =>
      fingerprint === null ? [] : [{ fingerprint, fileFingerprint, number }],
    ),
    since,
    ids: [...postedNumbers.values()].map(({ id }) => id),
  };
  const earlier = await findEarlier(ctx.db, upload, search);
  const posted = lists ? selectPosted(earlier) : [];
  const statuses = await readBooksStatus(ctx, uploadRun.realmId, posted);
  const inBooks = lists ? await findInBooks(ctx, uploadRun, { upload, plan }) : [];
  const equal = [...earlier.equal.filter((entry) => !goneReason(entry, statuses)), ...inBooks];
  const toDay = dayIn(await findTimeZone(ctx.db, uploadRun.realmId));
  const outcomes = decideOutcomes(plan.heads, { ...earlier, equal, postedNumbers, statuses, toDay });
  const verdicts = upload.mode === "file" ? allOrNothing(outcomes) : outcomes;
  const notes = await withChoosers(ctx, { realmId: uploadRun.realmId, notes: plan.notes, toDay });
  const pendingUndo =
    [...equal, ...earlier.numbered, ...earlier.open].find(({ undoId }) => undoId !== null)?.undoId ?? null;
  return {
    entries: { [Symbol.iterator]: () => toEntries(plan, verdicts) },
    takesNumbers: lists?.customNumbers ?? false,
    dataRows: plan.dataRows,
    notes,
    corrected: plan.corrected,
    pendingUndo,
    equal: findLeftOut(plan, outcomes, equal),
    basis: { upload, search, earlier },
  };
}

/**
 * Invoices that users typed in QuickBooks, or that a ledger that was put back has forgotten, are compared this far back.
 */
const BOOKS_BACK_MS = 90 * DAY_MS;

/** Finds invoices that the books alone have; a user who allowed those of this check is not asked again. */
async function findInBooks(
  ctx: InvoicesCtx,
  uploadRun: UploadRun,
  { upload, plan }: { upload: Upload; plan: PackedPlan },
): Promise<EqualEntry[]> {
  const { realmId, run } = uploadRun;
  const { id: uploadId, check, stage } = upload;
  if (check?.duplicatesAllowed.includes(uploadId)) return [];
  const mayBeOwn = stage === "confirmed" && (await ctx.holders.mayHave(run));
  const found = await findEqualInvoices(ctx, {
    realmId,
    places: plan.heads.flatMap(({ place }) => place ?? []),
    since: new Date(ctx.clock.now().getTime() - BOOKS_BACK_MS),
    ownFrom: mayBeOwn ? run.requestedAt : null,
    openFingerprints: async () => {
      const { own, foreign } = await findRivals(ctx.db, createCommand(uploadRun));
      return new Set([...own, ...foreign].map(({ fingerprint }) => fingerprint));
    },
    toMake: () => toUnsent(plan),
  });
  const unknown = {
    uploadId,
    rows: [],
    state: "posted",
    fileName: "",
    undoId: null,
    syncToken: null,
    ownNumber: null,
    fileFingerprint: null,
    poNumber: null,
  } as const;
  return found.map(({ number: docNumber, madeAt: uploadedAt, ...earlier }) => ({
    ...unknown,
    ...earlier,
    docNumber,
    uploadedAt,
    uploadedBy: "",
    customerName: "",
    amountCents: null,
    isOnlyInBooks: true,
  }));
}

function* toUnsent(plan: PackedPlan) {
  let place = 0;
  for (const { docNumber, draft, amountCents } of unpackInvoices(plan)) {
    const fingerprint = plan.heads[place]?.fingerprint;
    place += 1;
    if (docNumber === null && draft && amountCents !== null && fingerprint)
      yield { draft, amountCents, fingerprint };
  }
}

/** Adds to ignored money columns who ignored them and when: the choice may change later. */
async function withChoosers(
  ctx: InvoicesCtx,
  { realmId, notes, toDay }: { realmId: string; notes: Problem[]; toDay: (moment: Date) => string },
): Promise<Problem[]> {
  if (!notes.some(isLeftOut)) return notes;
  const choosers = await findColumnChoosers(ctx.db, { realmId, kind: invoiceSheet.kind });
  return notes.map((note) => {
    const key = choiceKey(note);
    const chosen = isLeftOut(note) ? choosers.get(key) : undefined;
    return chosen ? { ...note, params: { ...note.params, by: chosen.by, day: toDay(chosen.at) } } : note;
  });
}

const isLeftOut = ({ code }: Problem) =>
  code === "money_ignored" || code === "sheet_left_out" || code === "rows_not_billed";

/** Key of the choice that a remark is about. */
function choiceKey({ code, value, params }: Problem): string {
  if (code === "sheet_left_out") return sheetKey(value);
  return code === "rows_not_billed" ? rowMarkKey(String(params["of"]), value) : headerKey(value);
}

type PlannedFile = Pick<PackedPlan, "notes" | "heads" | "batches">;

/** Lists all uploads that had equal invoices, not only the one named in a sentence. */
function findLeftOut(
  { heads }: PlannedFile,
  outcomes: readonly PlanOutcome[],
  equal: readonly EqualEntry[],
): LeftOut {
  const left = heads.filter((_, place) => outcomes[place]?.isEqual);
  const sent = new Set(left.map(({ fingerprint }) => fingerprint));
  const said = new Set(left.map(({ fileFingerprint }) => fileFingerprint));
  const uploadIds = new Set(
    equal.flatMap(({ fingerprint, fileFingerprint, uploadId }) =>
      sent.has(fingerprint) || (fileFingerprint !== null && said.has(fileFingerprint)) ? [uploadId] : [],
    ),
  );
  return { invoices: left.length, uploadIds: [...uploadIds] };
}

/** Invoices of the same file are never posted again in any case: for a long file, the newest are enough. */
const MAX_PER_FILE = 1_000;

function selectPosted({ sameFile, equal }: Earlier): PostedInvoice[] {
  const isPosted = ({ state }: EarlierEntry) => state === "posted";
  const posted = [...sameFile.filter(isPosted).slice(-MAX_PER_FILE), ...equal.filter(isPosted)];
  const byId = new Map(posted.map(({ qboId, syncToken }) => [qboId, syncToken]));
  return [...byId].flatMap(([qboId, syncToken]) => (qboId === null ? [] : [{ qboId, syncToken }]));
}

/** Invoices are unpacked while the ledger is written, never all at once. */
function* toEntries(plan: PlannedFile, outcomes: readonly PlanOutcome[]): Generator<NewEntry> {
  let seq = 0;
  let place = 0;
  for (const invoice of unpackInvoices(plan)) {
    const [outcome, head] = [outcomes[place], plan.heads[place]];
    if (!outcome || !head) throw new Error("A packed plan has more invoices than heads.");
    const parts = outcome.alreadyPosted
      ? splitInvoice(invoice, outcome.alreadyPosted)
      : [{ invoice, outcome }];
    for (const part of parts) {
      const { state: verdict } = part.outcome;
      const cause = withOwn(part.outcome.cause, part.invoice);
      const fingerprint = part.invoice.draft && head.fingerprint;
      const fileFingerprint = part.invoice.draft && head.fileFingerprint;
      yield { ...part.invoice, seq, verdict, cause, fingerprint, fileFingerprint };
      seq += 1;
    }
    place += 1;
  }
}

/** Adds what the file says to the cause of an invoice that is left out for its number: it may be another invoice. */
function withOwn(cause: Cause | null, { customerName, amountCents, currency }: PlannedInvoice): Cause | null {
  if (cause?.code !== "posted_number") return cause;
  const own = { hereCustomer: customerName, hereCents: amountCents, currency };
  return { ...cause, params: { ...cause.params, ...own } };
}

const NO_NUMBERS: UsedNumbers = new Map();

/** Numbers of invoices with an error that are looked up, too, where we posted them. */
const MAX_FAULTY_NUMBERS = 1_000;

/**
 * Plans once; if the books already use numbers of the file that we didn't post, plans again with that knowledge.
 * @returns also the numbers that we posted from other files
 */
async function checkNumbers(
  ctx: InvoicesCtx,
  {
    uploadRun,
    task,
    lists,
    upload,
  }: { uploadRun: UploadRun; task: PlanTask; lists: PlanLists; upload: Upload },
): Promise<{ plan: PackedPlan; posted: UsedNumbers }> {
  const { realmId } = uploadRun;
  const plan = await planInThread(ctx, upload, { ...task, input: lists });
  const good = plan.heads.flatMap(({ docNumber, isGood }) => (docNumber && isGood ? [docNumber] : []));
  const faulty = plan.heads.flatMap(({ docNumber, isGood }) => (docNumber && !isGood ? [docNumber] : []));
  const known = await findPostedNumbers(ctx.db, realmId, faulty.slice(0, MAX_FAULTY_NUMBERS));
  const numbers = [...good, ...known];
  if (numbers.length === 0) return { plan, posted: NO_NUMBERS };
  const isPosted = upload.stage === "confirmed" && (await ctx.holders.mayHave(uploadRun.run));
  const posting = isPosted ? beingPosted(ctx, uploadRun, plan) : null;
  const used = await readUsedNumbers(ctx, { realmId, numbers, posting });
  const ids = [...used.values()].map(({ id }) => id);
  const own = new Set((await findPostedByIds(ctx.db, upload, ids)).map(({ qboId }) => qboId));
  const posted = new Map([...used].filter(([, { id }]) => own.has(id)));
  const usedNumbers = new Map([...used].filter(([, { id }]) => !own.has(id)));
  if (usedNumbers.size === 0) return { plan, posted };
  return { plan: await planInThread(ctx, upload, { ...task, input: { ...lists, usedNumbers } }), posted };
}

const beingPosted = (ctx: InvoicesCtx, uploadRun: UploadRun, plan: PackedPlan): BeingPosted => ({
  since: uploadRun.run.requestedAt,
  findToMake: (numbers) => {
    const found = new Map<string, InvoiceToMake>();
    for (const { docNumber, draft, amountCents } of unpackInvoices(plan))
      if (docNumber && draft && amountCents !== null && numbers.has(docNumber))
        found.set(docNumber, { draft, amountCents });
    return found;
  },
  findRivals: () => findRivals(ctx.db, createCommand(uploadRun)),
});

type PlanTask = Omit<ThreadTask, "input">;

/** Plans in a thread, and counts processes that do not survive it. */
async function planInThread(ctx: InvoicesCtx, upload: Upload, task: ThreadTask): Promise<PackedPlan> {
  await changeUpload(ctx.db, upload, { readings: upload.readings + 1 });
  try {
    return await readInThread<PackedPlan>(new URL("./plan-workbook.ts", import.meta.url), task);
  } finally {
    await changeUpload(ctx.db, upload, { readings: 0 });
  }
}

/** Reads the lists of the books and the choices that users of the company confirmed for their own files. */
async function readListsAndChoices(ctx: InvoicesCtx, { realmId, source }: Upload): Promise<PlanLists> {
  if (source === "orders") {
    const [lists, timeZone] = [await readLists(ctx, realmId), await findTimeZone(ctx.db, realmId)];
    return { ...lists, today: dayIn(timeZone)(ctx.clock.now()) };
  }
  const [lists, nameChoices, columnChoices, dateOrder, timeZone] = await Promise.all([
    readLists(ctx, realmId),
    findNameChoices(ctx.db, realmId),
    findColumnChoices(ctx.db, { realmId, kind: invoiceSheet.kind }),
    findDateOrder(ctx.db, { realmId, kind: invoiceSheet.kind }),
    findTimeZone(ctx.db, realmId),
  ]);
  const today = dayIn(timeZone)(ctx.clock.now());
  return { ...lists, nameChoices, columnChoices, dateOrder, today };
}

/** Writes the ledger of an upload while `holdPlan` holds its lock. */
export async function writePlan(
  tx: Db,
  uploadRun: UploadRun,
  { entries, notes, dataRows }: LedgerPlan,
): Promise<void> {
  await addEntries(tx, uploadRun, entries);
  // Columns matched by users since the upload can turn rows that were ignored into lines.
  await changeUpload(tx, uploadRun, { notes: toJson(notes), data_rows: dataRows });
}

/**
 * Locks the basis of a plan until the transaction ends.
 * @throws PlanOutdated if the earlier uploads changed since the plan was made, or one of them is to be undone
 */
export async function holdPlan(tx: Db, { basis }: LedgerPlan): Promise<void> {
  await lockPlans(tx, basis.upload.realmId);
  const now = await findEarlier(tx, basis.upload, basis.search);
  const undoId =
    [...now.sameFile, ...now.equal, ...now.numbered, ...now.open].find((entry) => entry.undoId !== null)
      ?.undoId ?? null;
  if (undoId !== null || !isDeepStrictEqual(now, basis.earlier)) throw new PlanOutdated(undoId);
}

/** The basis of a plan changed, or is being undone: plan again. */
export class PlanOutdated extends Error {
  override name = "PlanOutdated";
  /** Open undo of an earlier upload: the plan is repeated after it. */
  readonly undoId: string | null;

  constructor(undoId: string | null) {
    super("The basis of an upload's plan has changed.");
    this.undoId = undoId;
  }
}

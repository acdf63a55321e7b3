import type { Audited } from "#features/audit/index.ts";
import type { Company } from "#features/companies/index.ts";
import { busyReply, receiveFile } from "#features/sheets/index.ts";
import { groupProblems, type ProblemFacts } from "#features/sheets/reading.ts";
import type { Correction } from "#formats/table/corrections.ts";
import type { Problem } from "#formats/table/problem.ts";
import { splitSscc } from "#formats/gs1/sscc.ts";
import { unprintableIn } from "#formats/label/measure-text.ts";
import { countOf, quote } from "#formats/text/phrases.ts";
import type { Db } from "#platform/db/connect.ts";
import { type AppError, badRequest } from "#platform/errors.ts";
import type { Journal } from "#integrations/objects/journal.ts";
import type { IncomingFile } from "#platform/http/mount.ts";
import { createTurns } from "#platform/threads/take-turn.ts";
import type { LabelChoices } from "#features/labels/contract.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { shipFromsOf, type ShipFrom } from "#features/labels/layout/rules-content.ts";
import { keyOf } from "#features/labels/layout/rules-profiles.ts";
import { expandRows, fingerprintOf } from "#features/labels/ledger/rules-cartons.ts";
import {
  addLabels,
  addPrint,
  addLabelUpload,
  findSameRows,
  type LabelUpload,
} from "#features/labels/ledger/store.ts";
import { listPrefixes } from "#features/labels/ledger/store-serials.ts";
import { givingBack, takeNumbers } from "#features/labels/ledger/take-numbers.ts";
import { MAKING, MAX_LABELS, MAX_LINES } from "#features/labels/limits.ts";
import { plainName } from "#features/labels/rules-names.ts";
import { problemLine } from "#features/labels/sentences.ts";
import { requireLabelSettings } from "#features/labels/settings/read-label-settings.ts";
import type { LabelSettings } from "#features/labels/settings/store.ts";
import { readLabelSheet } from "#features/labels/sheet/read-label-sheet.ts";
import { findUsedNumbers } from "#features/labels/sheet/find-used-numbers.ts";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";

type Request = {
  file: IncomingFile;
  /** Of this printing: the first of its labels, or one more of those that are there. */
  printId: string;
  madeBy: string;
  rows: "all" | "good";
  cells: readonly Correction[];
  choices: LabelChoices;
};
type Ledger = LabelsCtx & Audited;
type Storing = Omit<Ledger, "objects" | "makingDb">;

/** Labels that were made, and how their user wants them printed. */
export type MadeLabels = { upload: LabelUpload; settings: LabelSettings };

/**
 * Makes labels of a sheet: numbers, labels and the upload in one transaction. Whoever asks for the same rows once more
 * is given the same labels. Once this returns, a crash loses nothing, and the labels can be printed at any time.
 * @throws AppError 400 for a file with errors, of which nothing is made; 409 when too few numbers are left
 */
export async function createLabels(ctx: Ledger, company: Company, request: Request): Promise<MadeLabels> {
  return receiveFile(ctx, request.file, async (received) => {
    const endTurn = await takeTurn(company.realmId).catch((cause: Error) => {
      throw busyReply(cause);
    });
    try {
      return await makeLabels(ctx, company, { ...request, bytes: () => received.read() });
    } finally {
      endTurn();
    }
  });
}

/**
 * A company's sheets wait here for each other, with nothing but their files: in front of its numbers, which one has at a
 * time, each would hold its rows and a connection.
 */
const takeTurn = createTurns(MAKING);

async function makeLabels(
  ctx: Ledger,
  company: Company,
  { file, bytes, cells, choices, madeBy, printId, rows: wanted }: Request & { bytes: () => Promise<Buffer> },
): Promise<MadeLabels> {
  const settings = await requireLabelSettings(ctx, company.realmId, choices);
  const fileName = plainName(file.name);
  const read = await readLabelSheet(ctx, company, { settings, fileName, bytes, cells });
  const rows = wanted === "good" || !read.problems.some(isError) ? read.rows : [];
  if (rows.length === 0) throw rowProblems(read.problems);
  const remarks = groupProblems(read.problems.filter((problem) => !isError(problem)));
  const upload = await storeLabels(ctx, company, { rows, settings, fileName, madeBy, printId, remarks });
  return { upload, settings };
}

const isError = ({ severity }: Problem) => severity === "error";

type Made = {
  rows: readonly LabelRow[];
  settings: LabelSettings;
  fileName: string;
  madeBy: string;
  printId: string;
  /** What was said of the sheet, and stops nothing. */
  remarks?: readonly ProblemFacts[];
};

/** The transaction of `createLabels`. */
export async function storeLabels(ctx: Storing, company: Company, made: Made): Promise<LabelUpload> {
  const { realmId } = company;
  const { rows, settings } = made;
  const count = rows.reduce((sum, row) => sum + row.cartons, 0);
  // Before any of them is made: a row makes up to a thousand.
  if (count > MAX_LABELS)
    throw badRequest(
      "too_many_labels",
      `The file makes ${countOf(count)} labels; at most ${countOf(MAX_LABELS)} are made at once. Split it into several files.`,
    );
  const cartons = expandRows(rows);
  const upload: LabelUpload = {
    id: ctx.ids.uuid(),
    fileName: made.fileName,
    profile: settings.profile,
    printedBy: settings.printedBy,
    labelCount: cartons.length,
    shipFroms: printableFroms(company, settings),
    madeBy: made.madeBy,
    madeAt: ctx.clock.now(),
    remarks: made.remarks ?? [],
  };
  const fingerprint = fingerprintOf(rows, keyOf(settings.printedBy));
  const store = async (tx: Db, serials: Journal) => {
    const isNew = await addLabelUpload(tx, realmId, { upload, fingerprint });
    const same = isNew ? null : await findSameRows(tx, realmId, fingerprint);
    if (!same) {
      const { prefix, extension } = settings;
      const range = { realmId, prefix, extension };
      const numbers = await takeNumbers({ tx, serials }, range, cartons);
      await refuseUsed(tx, realmId, rows);
      const prefixes = [prefix, ...settings.otherPrefixes, ...(await listPrefixes(tx, realmId))];
      const numbered = cartons.map((carton, at) => {
        const sscc = numbers[at] ?? "";
        // A sheet's own number may begin with another prefix of the company.
        const own = carton.sscc === "" ? prefix : prefixes.find((each) => splitSscc(sscc, each));
        return { ...carton, sscc, seq: at + 1, prefix: own ?? prefix };
      });
      await addLabels(tx, { realmId, id: upload.id }, numbered);
    }
    const action = same ? "labels.print_again" : "labels.make";
    const { id, fileName, labelCount } = same ?? upload;
    const print = {
      id: made.printId,
      by: made.madeBy,
      at: ctx.clock.now(),
      ranges: [{ first: 1, last: labelCount }],
    };
    await addPrint(tx, { realmId, id }, print);
    await ctx.audit(tx, { action, ids: { upload: id }, after: { file: fileName, labels: labelCount } });
    return same ?? upload;
  };
  return ctx.db.transaction().execute((tx) => givingBack(ctx.serials, (serials) => store(tx, serials)));
}

/** What others took since the sheet was read; those that make labels now wait for this transaction. */
async function refuseUsed(tx: Db, realmId: string, rows: readonly LabelRow[]): Promise<void> {
  const problems = await findUsedNumbers(tx, realmId, { rows });
  if (problems.length > 0) throw rowProblems(problems);
}

function printableFroms({ name }: Company, { shipFroms }: LabelSettings): Record<string, ShipFrom> {
  if (shipFroms.length === 0 && unprintableIn(name) !== undefined)
    throw badRequest(
      "name_not_printable",
      `The label font can't print the company's name ${quote(name)}. Its admin enters a ship-from address in the label settings below.`,
    );
  return shipFromsOf(name, shipFroms);
}

/** The first errors, each with its place, and how many more there are. */
function rowProblems(problems: readonly Problem[]): AppError {
  const lines = problems.filter(isError).map(problemLine);
  const more = lines.length - MAX_LINES;
  const rest = more > 0 ? [`${countOf(more)} more ${more === 1 ? "problem" : "problems"}.`] : [];
  return badRequest("row_problems", [...lines.slice(0, MAX_LINES), ...rest].join("\n"));
}

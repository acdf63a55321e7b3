import type { Audited } from "#features/audit/index.ts";
import type { Company } from "#features/companies/index.ts";
import { groupProblems, type ProblemFacts } from "#features/sheets/reading.ts";
import type { Problem } from "#formats/table/problem.ts";
import { splitSscc } from "#formats/gs1/sscc.ts";
import { unprintableIn } from "#formats/label/measure-text.ts";
import { formatCount, quote } from "#formats/text/phrases.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { type AppError, badRequest } from "#platform/errors.ts";
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
import { MAX_LABELS, MAX_LINES } from "#features/labels/limits.ts";
import type { AskedLabels } from "#features/labels/requests/store.ts";
import { problemLine } from "#features/labels/sentences.ts";
import { requireLabelSettings } from "#features/labels/settings/read-label-settings.ts";
import type { LabelSettings } from "#features/labels/settings/store.ts";
import { readLabelSheet } from "#features/labels/sheet/read-label-sheet.ts";
import { findUsedNumbers } from "#features/labels/sheet/find-used-numbers.ts";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";

/** A sheet, and what of it becomes labels, and how. */
type Sheet = AskedLabels & { fileName: string; bytes: () => Promise<Buffer> };
type ReadSheet = Pick<Made, "rows" | "settings" | "remarks">;

/** @throws AppError 400 for a file with errors, of which nothing is made */
export async function readSheet(
  ctx: LabelsCtx,
  company: Company,
  { fileName, bytes, cells, choices, rows: wanted }: Sheet,
): Promise<ReadSheet> {
  const settings = await requireLabelSettings(ctx, company.realmId, choices);
  const read = await readLabelSheet(ctx, company, { settings, fileName, bytes, cells });
  const rows = wanted === "good" || !read.problems.some(isError) ? read.rows : [];
  if (rows.length === 0) throw rowProblems(read.problems);
  const remarks = groupProblems(read.problems.filter((problem) => !isError(problem)));
  return { rows, settings, remarks };
}

const isError = ({ severity }: Problem) => severity === "error";

type Storing = Ctx & Audited & Pick<LabelsCtx, "serials">;

/** Rows that become labels, and whose they are. */
type Made = {
  rows: readonly LabelRow[];
  settings: LabelSettings;
  fileName: string;
  madeBy: string;
  /** Of this printing: the first of its labels, or one more of those that are there. */
  printId: string;
  /** What was said of the sheet, and stops nothing. */
  remarks?: readonly ProblemFacts[];
};

type For = { tx: Db; company: Company };

/**
 * Makes labels of rows: numbers, labels and the upload, in the transaction of `tx`. The same rows once more are the same
 * labels.
 * @throws AppError 409 when too few numbers are left
 */
export async function storeLabels(ctx: Storing, { tx, company }: For, made: Made): Promise<LabelUpload> {
  const { realmId } = company;
  const { rows, settings } = made;
  const count = rows.reduce((sum, row) => sum + row.cartons, 0);
  // Before any of them is made: a row makes up to a thousand.
  if (count > MAX_LABELS)
    throw badRequest(
      "too_many_labels",
      `The file makes ${formatCount(count)} labels; at most ${formatCount(MAX_LABELS)} are made at once. Split it into several files.`,
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
  return givingBack(ctx.serials, async (serials) => {
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
  });
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
  const rest = more > 0 ? [`${formatCount(more)} more ${more === 1 ? "problem" : "problems"}.`] : [];
  return badRequest("row_problems", [...lines.slice(0, MAX_LINES), ...rest].join("\n"));
}

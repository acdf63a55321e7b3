import { findTimeZone, type Company } from "#features/companies/index.ts";
import { findColumnChoices, findDateOrder, readForRequest, receiveFile } from "#features/sheets/index.ts";
import { groupProblems, toWrongCell, type ProblemRows } from "#features/sheets/reading.ts";
import type { Correction } from "#formats/table/corrections.ts";
import { inSheetOrder, problemAt, type Problem } from "#formats/table/problem.ts";
import { dayIn } from "#formats/text/phrases.ts";
import type { Db } from "#platform/db/connect.ts";
import { badRequest, notFound } from "#platform/errors.ts";
import type { IncomingFile } from "#platform/http/mount.ts";
import type { LabelChoices, LabelReview, LabelReviewRow } from "#features/labels/contract.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { MAX_LISTED_ERRORS } from "#features/labels/limits.ts";
import { groupCartons, holdCartons } from "#features/labels/read-sheet/mixed-cartons.ts";
import type { LabelSheetResult, LabelSheetInput } from "#features/labels/read-sheet/read-sheet.ts";
import { isWaiting, sentence, warningGroup } from "#features/labels/sentences.ts";
import { listUsedPrefixes } from "#features/labels/serials.ts";
import { indexShipFroms, requireLabelSettings } from "#features/labels/settings.ts";
import { fieldHeader, labelSheet, type Field } from "#features/labels/sheet.ts";
import type { LabelRow, LabelSettings, Profile } from "#features/labels/types.ts";
import { countLabels, fingerprintRows } from "#features/labels/uploads/cartons.ts";
import { findSameRows, findUsedSsccs } from "#features/labels/uploads/store.ts";
import { plainName, withoutEnding } from "#features/labels/uploads/upload.ts";

const READING = new URL("../read-sheet/read-sheet.ts", import.meta.url);
const EXTRACTION = new URL("../read-sheet/extract-problem-rows.ts", import.meta.url);

export const isError = ({ severity }: Problem): boolean => severity === "error";

type Sheet = {
  settings: LabelSettings & { layout: Profile };
  fileName: string;
  bytes: () => Promise<Uint8Array>;
  /** Corrected cells. */
  cells: readonly Correction[];
};

/**
 * Reads and fully checks a sheet in a thread, using the columns and dates that users of the company
 * explained. An SSCC that is already used by other rows is an error, too.
 * @throws AppError 400 for a file that cannot be read at all
 */
export async function readLabelSheet(
  { db, clock }: LabelsCtx,
  { realmId, name }: Company,
  { settings, fileName, bytes, cells }: Sheet,
): Promise<LabelSheetResult> {
  const unknown = cells.find(({ field }) => !Object.hasOwn(labelSheet.fields, field));
  if (unknown) throw badRequest("field_unknown", `Labels have no field "${unknown.field}". Reload the page.`);
  const kind = { realmId, kind: labelSheet.kind };
  const usedPrefixes = await listUsedPrefixes(db, realmId);
  const input: LabelSheetInput = {
    fileName,
    cells,
    chosen: await findColumnChoices(db, kind),
    dateOrder: await findDateOrder(db, kind),
    profile: settings.layout,
    resolution: settings.resolution,
    prefixes: [...new Set([settings.prefix, ...settings.otherPrefixes, ...usedPrefixes])],
    shipFroms: indexShipFroms(name, settings),
    paper: settings.paper,
    today: dayIn(await findTimeZone(db, realmId))(clock.now()),
  };
  const read = await readForRequest<LabelSheetResult>(labelSheet, READING, { bytes, input, owner: realmId });
  const used = await findUsedNumbers(db, realmId, read);
  // The same rows again get the labels that they became, whose numbers are their own.
  if (
    used.length > 0 &&
    (await findSameRows(db, realmId, await fingerprintRows(read.rows, settings.layout.id)))
  )
    return read;
  const problems = [...used, ...holdCartons(read, read.rows, used)];
  const wrong = new Set(problems.map(({ row }) => row));
  return {
    ...read,
    rows: read.rows.filter(({ row }) => !wrong.has(row)),
    wrongRows: [...read.wrongRows, ...read.rows.filter(({ row }) => wrong.has(row))],
    problems: inSheetOrder([...read.problems, ...problems]),
  };
}

/** Reports SSCCs of a sheet that are already used. */
export async function findUsedNumbers(
  db: Db,
  realmId: string,
  { rows, columns = [] }: { rows: readonly LabelRow[]; columns?: LabelSheetResult["columns"] },
): Promise<Problem[]> {
  const given = new Map(rows.flatMap(({ sscc, row }) => (sscc === "" ? [] : [[sscc, row] as const])));
  const used = await findUsedSsccs(db, realmId, [...given.keys()]);
  if (used.length === 0) return [];
  const toDay = dayIn(await findTimeZone(db, realmId));
  return used.map(({ sscc, poNumber, usedAt }) =>
    problemAt(
      { columns },
      { field: "sscc", row: given.get(sscc) ?? 0 },
      { code: "sscc_used", value: sscc, params: { poNumber, date: toDay(usedAt) } },
    ),
  );
}

type Sent = { file: IncomingFile; cells: readonly Correction[]; choices: LabelChoices };

/** Checks a sheet with its corrections. Stores nothing and assigns no SSCC. */
export async function reviewLabels(
  ctx: LabelsCtx,
  company: Company,
  { file, cells, choices }: Sent,
): Promise<LabelReview> {
  const settings = await requireLabelSettings(ctx, company.realmId, choices);
  return receiveFile(ctx, file, async (received) => {
    const filename = plainName(file.name);
    const sheet = { settings, fileName: filename, bytes: () => received.read(), cells };
    const { rows, wrongRows, problems, corrected } = await readLabelSheet(ctx, company, sheet);
    const [waiting, wrong] = [true, false].map((is) =>
      problems.filter((problem) => isError(problem) && isWaiting(problem) === is),
    );
    const errors = [...(wrong ?? []), ...(waiting ?? [])];
    const further = new Set(groupCartons(rows).flatMap(([, ...more]) => more));
    const listed = [
      ...rows.map((row) => ({ ...toReviewRow(row, "ready"), ...(further.has(row) ? { labels: 0 } : {}) })),
      ...wrongRows.map((row) => toReviewRow(row, "fix")),
    ];
    return {
      filename,
      label_count: countLabels(rows),
      error_count: errors.length,
      errors: errors
        .slice(0, MAX_LISTED_ERRORS)
        .map((error) => toWrongCell(labelSheet, error, sentence(error))),
      remarks: groupProblems(problems.filter((problem) => !isError(problem))).map(warningGroup),
      corrections: corrected.map((cell) => ({
        ...cell,
        place: String(cell.row),
        header: fieldHeader(cell.field as Field),
      })),
      rows: listed.toSorted((a, b) => a.row - b.row),
    };
  });
}

const toReviewRow = (row: LabelRow, state: LabelReviewRow["state"]): LabelReviewRow => ({
  row: row.row,
  po_number: row.poNumber,
  ship_to: row.shipToName,
  mark_for: row.markFor,
  labels: row.cartons,
  state,
});

/**
 * Writes the rows of a sheet that have errors as a workbook, each with its reasons and its wrong cells
 * marked. After corrections, it can be uploaded unchanged. Neither file is stored.
 * @throws AppError 404 if the sheet has no such rows
 */
export async function writeProblemRows(
  ctx: LabelsCtx,
  company: Company,
  { file, cells, choices }: Sent,
): Promise<{ name: string; bytes: Uint8Array }> {
  const { realmId } = company;
  const settings = await requireLabelSettings(ctx, realmId, choices);
  return receiveFile(ctx, file, async (received) => {
    const fileName = plainName(file.name);
    const bytes = () => received.read();
    const { problems } = await readLabelSheet(ctx, company, { settings, fileName, bytes, cells });
    const reasons = problems
      .filter(isError)
      .map((problem) => ({ row: problem.row, field: problem.field, reason: sentence(problem) }));
    if (reasons.length === 0) throw notFound("No row of this file has an error.");
    const chosen = await findColumnChoices(ctx.db, { realmId, kind: labelSheet.kind });
    const input: ProblemRows = { fileName, reasons, chosen, corrections: cells };
    const workbook = await readForRequest<Uint8Array>(labelSheet, EXTRACTION, {
      bytes,
      input,
      owner: realmId,
    });
    return { name: `${withoutEnding(fileName)} - problem rows.xlsx`, bytes: workbook };
  });
}

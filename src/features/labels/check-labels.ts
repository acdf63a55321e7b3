import type { Company } from "#features/companies/index.ts";
import type { CorrectedCell } from "#features/sheets/contract.ts";
import { receiveFile } from "#features/sheets/index.ts";
import { groupProblems } from "#features/sheets/reading.ts";
import type { Corrected, Correction } from "#formats/table/corrections.ts";
import type { Problem } from "#formats/table/problem.ts";
import { cellName } from "#formats/xlsx/cell-names.ts";
import type { IncomingFile } from "#platform/http/mount.ts";
import type { LabelChoices, LabelReview, LabelReviewRow } from "#features/labels/contract.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { MAX_LISTED_ERRORS } from "#features/labels/limits.ts";
import { plainName } from "#features/labels/rules-names.ts";
import { remarkOf, sentenceOf } from "#features/labels/sentences.ts";
import { requireLabelSettings } from "#features/labels/settings/read-label-settings.ts";
import { readLabelSheet } from "#features/labels/sheet/read-label-sheet.ts";
import type { ReadRows } from "#features/labels/sheet/read-rows.ts";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";
import { fieldHeader, type Field } from "#features/labels/sheet/rules-sheet.ts";

/** Everything that is to be said of a sheet with what a user corrected of it. Nothing is kept, and no number given. */
export async function checkLabels(
  ctx: LabelsCtx,
  company: Company,
  { file, cells, choices }: { file: IncomingFile; cells: readonly Correction[]; choices: LabelChoices },
): Promise<LabelReview> {
  const settings = await requireLabelSettings(ctx, company.realmId, choices);
  return receiveFile(ctx, file, async (received) => {
    const filename = plainName(file.name);
    const asked = { settings, fileName: filename, bytes: () => received.read(), cells };
    return { filename, ...toReview(await readLabelSheet(ctx, company, asked)) };
  });
}

function toReview({ rows, wrongRows, problems, corrected }: ReadRows): Omit<LabelReview, "filename"> {
  const errors = problems.filter(({ severity }) => severity === "error");
  const others = problems.filter(({ severity }) => severity !== "error");
  const listed = [...rows.map((row) => toRow(row, "ready")), ...wrongRows.map((row) => toRow(row, "fix"))];
  return {
    label_count: rows.reduce((sum, { cartons }) => sum + cartons, 0),
    error_count: errors.length,
    errors: errors.slice(0, MAX_LISTED_ERRORS).map(toCell),
    remarks: groupProblems(others).map(remarkOf),
    corrections: corrected.map(toCorrected),
    rows: listed.toSorted((one, other) => one.row - other.row),
  };
}

const toRow = (row: LabelRow, state: LabelReviewRow["state"]): LabelReviewRow => ({
  row: row.row,
  po_number: row.poNumber,
  ship_to: row.shipToName,
  mark_for: row.markFor,
  labels: row.cartons,
  state,
});

function toCell(problem: Problem): LabelReview["errors"][number] {
  const { code, row, column, field, value } = problem;
  return {
    code,
    row,
    field,
    value,
    text: sentenceOf(problem),
    cell: column === null ? "" : cellName(column, row),
    header: field === null ? null : fieldHeader(field as Field),
  };
}

const toCorrected = (cell: Corrected): CorrectedCell => ({
  ...cell,
  header: fieldHeader(cell.field as Field),
});

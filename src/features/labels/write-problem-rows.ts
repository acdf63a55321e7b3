import type { Company } from "#features/companies/index.ts";
import type { Correction } from "#formats/table/corrections.ts";
import { findColumnChoices, readForRequest, receiveFile } from "#features/sheets/index.ts";
import type { ProblemRows } from "#features/sheets/reading.ts";
import { notFound } from "#platform/errors.ts";
import type { IncomingFile } from "#platform/http/mount.ts";
import type { LabelChoices } from "#features/labels/contract.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { plainName, withoutEnding } from "#features/labels/rules-names.ts";
import { sentenceOf } from "#features/labels/sentences.ts";
import { requireLabelSettings } from "#features/labels/settings/read-label-settings.ts";
import { readLabelSheet } from "#features/labels/sheet/read-label-sheet.ts";
import { labelSheet } from "#features/labels/sheet/rules-sheet.ts";

/**
 * A workbook of the rows of a sheet that have errors, all of them, each with its reason beside it and its wrong cells
 * marked. Corrected, it can be uploaded as it is. Neither file is kept.
 * @param sent.cells cells that count instead of those of the file
 * @throws AppError 404 when the sheet has no such rows
 */
export async function writeProblemRows(
  ctx: LabelsCtx,
  company: Company,
  { file, cells, choices }: { file: IncomingFile; cells: readonly Correction[]; choices: LabelChoices },
): Promise<{ name: string; bytes: Uint8Array }> {
  const { realmId } = company;
  const settings = await requireLabelSettings(ctx, realmId, choices);
  return receiveFile(ctx, file, async (received) => {
    const fileName = plainName(file.name);
    const bytes = () => received.read();
    const { problems } = await readLabelSheet(ctx, company, { settings, fileName, bytes, cells });
    const reasons = problems
      .filter(({ severity }) => severity === "error")
      .map((problem) => ({ row: problem.row, field: problem.field, reason: sentenceOf(problem) }));
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

const EXTRACTION = new URL("./sheet/extract-problem-rows.ts", import.meta.url);

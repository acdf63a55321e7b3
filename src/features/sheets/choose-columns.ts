import type { SheetKind } from "#formats/table/define-sheet.ts";
import { headerKey } from "#formats/table/header-text.ts";
import { isMeaning, requiredFields } from "#formats/table/headers.ts";
import type { Audited } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import { badRequest } from "#platform/errors.ts";
import type { IncomingFile } from "#platform/http/mount.ts";
import type { SheetsCtx } from "#features/sheets/ctx.ts";
import type { SeenSheet, ToSee } from "#features/sheets/inspect-columns.ts";
import { receiveFile } from "#features/sheets/receive-file.ts";
import { readForRequest } from "#features/sheets/read-in-thread.ts";
import { articleOf } from "#features/sheets/sentences-remarks.ts";
import { findColumnChoices, removeColumnChoice, saveColumnChoice } from "#features/sheets/store.ts";

/**
 * The columns of a workbook and the fields they could mean. The file itself is not kept.
 * @param asked.module of a thread, whose `run` is `inspectColumns` of this kind of sheet
 */
export async function readColumns(
  ctx: SheetsCtx,
  realmId: string,
  asked: { file: IncomingFile; sheet: SheetKind; module: URL },
) {
  const { file, sheet, module } = asked;
  const chosen = await findColumnChoices(ctx.db, { realmId, kind: sheet.kind });
  const input: ToSee = { fileName: file.name, chosen };
  const seen = await receiveFile(ctx, file, async (received) =>
    readForRequest<SeenSheet>(sheet, module, { bytes: () => received.read(), input, owner: realmId }),
  );
  const standIns = new Map(requiredFields(sheet).map(({ field, unless }) => [field, unless]));
  return {
    ...seen,
    fields: Object.entries(sheet.fields).map(([field, { header }]) => ({
      field,
      header,
      required: standIns.has(field),
      unless: standIns.get(field) ?? [],
    })),
  };
}

/**
 * Remembers which columns mean which fields, for every later file of this kind in this company; an empty field forgets.
 * @throws AppError 400 for a field that does not exist, or one chosen for two columns
 */
export async function chooseColumns(
  ctx: Ctx & Audited,
  who: { realmId: string; by: string },
  { sheet, columns }: { sheet: SheetKind; columns: readonly { header: string; field: string }[] },
): Promise<void> {
  const unknown = columns.find(({ field }) => field !== "" && !isMeaning(sheet, field));
  const { record } = sheet.words;
  if (unknown)
    throw badRequest(
      "unknown_field",
      `"${unknown.field}" isn't a field of ${articleOf(record)} ${record}. Choose one from the list.`,
    );
  const fields = columns.map(({ field }) => field).filter((field) => field !== "" && field !== "ignore");
  const twice = fields.find((field, index) => fields.indexOf(field) !== index);
  if (twice)
    throw badRequest(
      "field_chosen_twice",
      `${sheet.fields[twice]?.header ?? twice} is matched twice. Keep one.`,
    );
  const own = { ...who, kind: sheet.kind, now: ctx.clock.now() };
  await ctx.db.transaction().execute(async (tx) => {
    for (const { header, field } of columns) {
      const key = headerKey(header);
      if (field === "") await removeColumnChoice(tx, own, key);
      else await saveColumnChoice(tx, own, { key, header, field });
    }
    await ctx.audit(tx, { action: "choices.choose_columns", after: { sheet: sheet.kind, columns } });
  });
}

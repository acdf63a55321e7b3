import { badRequest } from "#platform/errors.ts";
import type { IncomingFile } from "#platform/http/mount.ts";
import type { SeenColumns, ToSee } from "#features/invoices/choices/inspect-columns.ts";
import {
  findColumnChoices,
  isChoice,
  removeColumnChoice,
  saveColumnChoice,
} from "#features/invoices/choices/store.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { ALL_FIELDS, fieldHeader } from "#features/invoices/workbook/rules-fields.ts";
import { headerKey } from "#features/invoices/workbook/rules-headers.ts";
import { receiveFile } from "#features/invoices/accept/receive-file.ts";
import { runForRequest } from "#features/invoices/workbook/run-for-request.ts";

const REQUIRED: ReadonlySet<string> = new Set(["customer", "invoiceDate", "item", "amount"]);

/** The columns of a workbook and the fields they could mean. The file itself is not kept. */
export async function readColumns(ctx: InvoicesCtx, realmId: string, file: IncomingFile) {
  const input: ToSee = { fileName: file.name, chosen: await findColumnChoices(ctx.db, realmId) };
  const module = new URL("./inspect-columns.ts", import.meta.url);
  const seen = await receiveFile(ctx, file, async (received) =>
    runForRequest<SeenColumns>(module, { bytes: await received.read(), input }),
  );
  return {
    ...seen,
    fields: ALL_FIELDS.map((field) => ({
      field,
      header: fieldHeader(field),
      required: REQUIRED.has(field),
    })),
  };
}

/**
 * Remembers which columns mean which fields, for every later upload of this company; an empty field forgets.
 * @throws AppError 400 for a field that does not exist, or one chosen for two columns
 */
export async function chooseColumns(
  ctx: InvoicesCtx,
  who: { realmId: string; by: string },
  columns: readonly { header: string; field: string }[],
): Promise<void> {
  const unknown = columns.find(({ field }) => field !== "" && !isChoice(field));
  if (unknown)
    throw badRequest(
      "unknown_field",
      `"${unknown.field}" is not a field of an invoice. Choose one of the list.`,
    );
  const fields = columns.map(({ field }) => field).filter((field) => field !== "" && field !== "ignore");
  const twice = fields.find((field, index) => fields.indexOf(field) !== index);
  if (twice)
    throw badRequest(
      "field_chosen_twice",
      `Two columns cannot both mean "${twice}". Choose it for one of them.`,
    );
  const now = ctx.clock.now();
  await ctx.db.transaction().execute(async (tx) => {
    for (const { header, field } of columns) {
      const key = headerKey(header);
      if (field === "") await removeColumnChoice(tx, who.realmId, key);
      else await saveColumnChoice(tx, { ...who, now }, { key, header, field });
    }
  });
}

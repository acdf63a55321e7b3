import { fault, missing, notFound } from "./api-fault.ts";
import { deleteAttachable, updateAttachable } from "./attachables.ts";
import type { Kind } from "./books.ts";
import { createInvoice, deleteInvoice, updateInvoice, voidInvoice } from "./invoice-write.ts";
import { createNamed, updateNamed } from "./name-list.ts";
import type { Fields, WriteContext, WriteOptions } from "./write-context.ts";

/** Runs one write, from its own request or as an item of a batch. @throws ApiFault */
export function writeEntity(
  ctx: WriteContext,
  {
    kind,
    operation,
    input,
    options,
  }: { kind: Kind; operation: string; input: Fields; options: WriteOptions },
): Fields {
  if (kind === "Invoice") return writeInvoice(ctx, operation, { input, options });
  if (kind === "Attachable") {
    if (operation === "delete") return deleteAttachable(ctx, input);
    if (operation === "update") return updateAttachable(ctx, input);
    throw unsupported(operation);
  }
  if (operation === "create") return createNamed(ctx, kind, input);
  if (operation === "update") return updateNamed(ctx, kind, input);
  throw unsupported(operation);
}

/**
 * Reads the operation of a POST to an entity's path: from the query, else a body with `Id` and `SyncToken` is
 * an update.
 */
export function readOperation(query: URLSearchParams, input: Fields): string {
  const asked = query.get("operation");
  if (query.get("include") === "void") return "void";
  if (asked !== null) return asked;
  return input["Id"] !== undefined && input["SyncToken"] !== undefined ? "update" : "create";
}

export const unsupported = (what: string) => fault("500", `Operation ${what} is not supported.`);

function writeInvoice(
  ctx: WriteContext,
  operation: string,
  { input, options }: { input: Fields; options: WriteOptions },
): Fields {
  if (operation === "create") {
    // An update without its token must not create a second invoice.
    if (input["Id"] !== undefined && !ctx.sim.books.get(ctx.company.realmId, "Invoice", String(input["Id"])))
      throw notFound();
    if (input["Id"] !== undefined) throw missing("SyncToken");
    return createInvoice(ctx, input, options);
  }
  if (operation === "update") return updateInvoice(ctx, input, options);
  if (operation === "void") return voidInvoice(ctx, input);
  if (operation === "delete") return deleteInvoice(ctx, input);
  throw unsupported(operation);
}

import { KINDS } from "./books.ts";
import { findCompany } from "./companies.ts";
import { ControlError, type Control } from "./control-call.ts";
import { writeEntity } from "./entity-write.ts";
import { payInvoice } from "./invoice-payment.ts";
import { kindNamed } from "./query-properties.ts";
import type { Simulator } from "./simulator.ts";
import type { Fields, WriteContext } from "./write-context.ts";

/**
 * The books behind the API's back: `GET /_sim/books/:realm/:kind[/:id]`, `POST /_sim/books/:realm/:kind` to create,
 * `POST …/:id` to edit as another user, `POST …/invoice/:id/pay|void|delete`.
 */
export function controlBooks(sim: Simulator, { request, body }: Control): unknown {
  const [, , , realmId = "", kindName = "", id, action = "update"] = request.url.pathname.split("/");
  const company = findCompany(sim, realmId);
  const kind = kindNamed(kindName);
  if (!company || !kind)
    throw new ControlError(
      `Say /_sim/books/REALM/KIND, with a known company and one of ${KINDS.join(", ")}.`,
    );
  if (request.method === "GET")
    return id === undefined ? sim.books.list(realmId, kind) : requireEntity(sim, { realmId, kind, id });
  const ctx: WriteContext = {
    sim,
    company,
    who: typeof body["who"] === "string" ? body["who"] : "Betty Bookkeeper",
  };
  const { who: _who, ...fields } = body;
  const options = { allowDuplicateDocNumber: true };
  if (id === undefined) return writeEntity(ctx, { kind, operation: "create", input: fields, options });
  const current = requireEntity(sim, { realmId, kind, id });
  if (action === "pay") {
    return payInvoice(ctx, {
      invoice: current,
      ...(typeof fields["amount"] === "number" && { amount: fields["amount"] }),
      deposited: fields["deposited"] === true,
      keepToken: fields["keepToken"] === true,
    });
  }
  const input: Fields = { ...fields, Id: id, SyncToken: current.SyncToken, sparse: true };
  return writeEntity(ctx, { kind, operation: action, input, options });
}

function requireEntity(
  sim: Simulator,
  { realmId, kind, id }: { realmId: string; kind: (typeof KINDS)[number]; id: string },
) {
  const entity = sim.books.get(realmId, kind, id);
  if (!entity) throw new ControlError(`No ${kind} ${id}.`);
  return entity;
}

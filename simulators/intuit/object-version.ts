import { fault, missing, notFound } from "./api-fault.ts";
import type { Entity, Kind } from "./books.ts";
import {
  describeEntity,
  metaNow,
  noteChange,
  noteForQueries,
  type Fields,
  type WriteContext,
} from "./write-context.ts";

/** Finds the stored object for a write. @throws ApiFault 2020, 2030, 610 */
export function findPrevious(ctx: WriteContext, kind: Kind, input: Fields): Entity {
  const previous = ctx.sim.books.get(ctx.company.realmId, kind, requireId(input));
  if (!previous) throw notFound();
  return previous;
}

/** @throws ApiFault 2020, 2030 */
function requireId(input: Fields): string {
  const id = input["Id"];
  if (id === undefined || id === null || id === "") throw missing("Id");
  if (!/^-?\d+$/.test(String(id)))
    throw fault("2030", `Id should be a valid number. Supplied value:${String(id)}`, "Id");
  return String(id);
}

/** @throws ApiFault 2020 without a token, 5010 if the object has changed */
export function checkSyncToken(ctx: WriteContext, input: Fields, previous: Entity): void {
  const token = input["SyncToken"];
  if (token === undefined || token === null || token === "") throw missing("SyncToken");
  if (String(token) === previous.SyncToken) return;
  const other = lastWriter(ctx, previous.Id);
  throw fault(
    "5010",
    `Stale Object Error : You and ${other} were working on this at the same time. ${other} finished before you did, so your work was not saved.`,
  );
}

function lastWriter(ctx: WriteContext, id: string): string {
  const row = ctx.sim.db
    .prepare("SELECT who FROM change WHERE realm_id = ? AND id = ? ORDER BY seq DESC LIMIT 1")
    .get(ctx.company.realmId, id);
  return row ? String(row["who"]) : "another user";
}

export function nextToken(previous: Entity): string {
  return String(Number(previous.SyncToken) + 1);
}

/**
 * Removes an object from the books, and records it for the "what changed" page. @returns the answer to a
 * delete
 */
export function removeObject(ctx: WriteContext, kind: Kind, previous: Entity): Fields {
  const { Id } = previous;
  noteForQueries(ctx, kind, Id);
  ctx.sim.books.remove(ctx.company.realmId, { kind, id: Id, at: metaNow(ctx).LastUpdatedTime });
  noteChange(ctx, { kind, id: Id, label: describeEntity(kind, previous), operation: "deleted" });
  return { domain: "QBO", status: "Deleted", Id };
}

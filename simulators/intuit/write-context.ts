import { readSettings } from "./settings.ts";
import type { Company } from "./companies.ts";
import { metaTime } from "./wire-time.ts";
import type { Entity, Kind } from "./books.ts";
import type { Simulator } from "./simulator.ts";
import { queueEvent } from "./webhook-events.ts";

/** Writing user and company of a write. */
export type WriteContext = {
  sim: Simulator;
  company: Company;
  who: string;
  /** Seconds until queries show the created objects. */
  hiddenS?: number | undefined;
};

export type WriteOptions = { allowDuplicateDocNumber: boolean };

/** Properties as received from the client: null and empty text mean "not set". */
export type Fields = Record<string, unknown>;

/** Reads the text of a reference's `value`, e.g. `refValue(body, "CustomerRef")`. */
export function refValue(fields: Fields, name: string): string | undefined {
  const ref = fields[name];
  if (typeof ref !== "object" || ref === null) return undefined;
  const value = (ref as Fields)["value"];
  return value === undefined || value === null || value === "" ? undefined : String(value);
}

export function readText(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Reads the entries of a list property; empty if absent. */
export function readList(fields: Fields, name: string): Fields[] {
  const value = fields[name];
  return Array.isArray(value)
    ? value.filter((item): item is Fields => typeof item === "object" && item !== null)
    : [];
}

/** Removes null and empty text at every level: answers contain neither. */
export function withoutEmpty<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutEmpty(item)) as T;
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    inner === null || inner === "" || inner === undefined ? [] : [[name, withoutEmpty(inner)] as const],
  );
  return Object.fromEntries(kept) as T;
}

/** Stores a new or changed object and records it for the "what changed" page. */
export function store(ctx: WriteContext, kind: Kind, change: { entity: Entity; operation: string }): void {
  noteForQueries(ctx, kind, change.entity.Id);
  ctx.sim.books.put(ctx.company.realmId, kind, change.entity);
  noteChange(ctx, {
    kind,
    id: change.entity.Id,
    label: describeEntity(kind, change.entity),
    operation: change.operation,
  });
}

/** Records what queries will keep showing of an invoice or a file that is about to be written. */
export function noteForQueries({ sim, company, hiddenS }: WriteContext, kind: Kind, id: string): void {
  if (!isShownLate(kind)) return;
  const shown = sim.books.get(company.realmId, kind, id) ?? null;
  const lagS = shown === null ? hiddenS : readSettings(sim).changeLagS;
  if (!lagS) return;
  const until = sim.clock.now().getTime() + lagS * 1000;
  sim.lateViews.add(company.realmId, { kind, id, shown, until });
}

/** Whether queries show objects of a kind only after a lag. */
export const isShownLate = (kind: Kind): boolean => kind === "Invoice" || kind === "Attachable";

export function noteChange(
  ctx: WriteContext,
  change: { kind: Kind; id: string; label: string; operation: string },
): void {
  ctx.sim.db
    .prepare(
      "INSERT INTO change (realm_id, at, kind, id, label, operation, who) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .run(
      ctx.company.realmId,
      ctx.sim.clock.now().getTime(),
      change.kind,
      change.id,
      change.label,
      change.operation,
      ctx.who,
    );
  if (change.kind === "Invoice") queueEvent(ctx.sim, ctx.company.realmId, change);
}

/** `MetaData` of an object written now. */
export function metaNow(ctx: WriteContext, previous?: Entity): Entity["MetaData"] {
  const now = metaTime(ctx.sim.clock.now());
  return { CreateTime: previous?.MetaData.CreateTime ?? now, LastUpdatedTime: now };
}

export function describeEntity(kind: Kind, entity: Entity): string {
  const name =
    entity["DocNumber"] ??
    entity["DisplayName"] ??
    entity["FullyQualifiedName"] ??
    entity["Name"] ??
    entity["FileName"];
  return typeof name === "string" ? name : `${kind} ${entity.Id}`;
}

import { NAME_PROPERTY, type Books, type Entity, type Kind } from "./books.ts";
import type { Condition } from "./query-parser.ts";
import { readSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";

type Search = { realmId: string; kind: Kind; conditions: readonly Condition[] };

/**
 * What can match a statement, in the order of creation: found by id, by number or name, or by the time it was made where
 * a condition asks for one of these; else all of the kind.
 */
export function findCandidates(books: Books, { realmId, kind, conditions }: Search): Entity[] {
  const exact = (property: string) =>
    conditions.find((one) => one.property === property && ["=", "IN"].includes(one.operator));
  const byId = exact("Id");
  if (byId) return inOrder(byId.values.flatMap((id) => books.get(realmId, kind, id) ?? []));
  const byName = exact(NAME_PROPERTY[kind]);
  if (byName) return inOrder(byName.values.flatMap((name) => books.named(realmId, kind, name)));
  const since = conditions.find(
    ({ property, operator }) => property === "MetaData.CreateTime" && [">", ">="].includes(operator),
  );
  if (since) return books.madeSince(realmId, kind, Date.parse(since.values[0] ?? ""));
  return books.list(realmId, kind);
}

/** Invoices as queries show them by now: some not yet, some as they were before their last change. */
export function shownBy(sim: Simulator, realmId: string, found: Entity[]): Entity[] {
  const now = sim.clock.now().getTime();
  const { queryLagS } = readSettings(sim);
  const late = sim.lateViews.of(realmId, now);
  const current = late.size === 0 ? found : found.filter(({ Id }) => !late.has(Id));
  const earlier = [...late.values()].filter((entity) => entity !== null);
  const shown = earlier.length === 0 ? current : inOrder([...current, ...earlier]);
  if (queryLagS === 0) return shown;
  return shown.filter(({ MetaData }) => Date.parse(MetaData.CreateTime) <= now - queryLagS * 1000);
}

/** Ids count upward, so they give the order of creation. */
function inOrder(entities: readonly Entity[]): Entity[] {
  const distinct = new Map(entities.map((entity) => [entity.Id, entity]));
  return [...distinct.values()].toSorted((a, b) => compareIds(a.Id, b.Id));
}

const compareIds = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1);

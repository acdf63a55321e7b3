import { fault } from "./api-fault.ts";
import { type Entity, type Kind, NAME_PROPERTY, type Books } from "./books.ts";
import { parseQuery, type Condition, type Query } from "./query-parser.ts";
import { filterable, isNameList, kindNamed } from "./query-properties.ts";
import type { Simulator } from "./simulator.ts";
import { isShownLate, type Fields, type WriteContext } from "./write-context.ts";
import { readSettings } from "./settings.ts";
import type { ApiCall } from "./api-call.ts";
import { companyInfo, preferences } from "./company-objects.ts";

/** A `QueryResponse`, and the number of its objects. */
export type QueryAnswer = { response: Fields; rows: number };

/**
 * Runs a statement on a company's books. Name lists include only active entries unless `Active` is queried;
 * invoices and files are shown as the settings and fault rules let queries see them.
 * @param extra entities that are not in the books, e.g. CompanyInfo
 * @throws ApiFault 4000, 4001
 */
export function runQuery(
  sim: Simulator,
  realmId: string,
  { statement, extra }: { statement: string; extra: Record<string, Entity> },
): QueryAnswer {
  const query = parseQuery(statement);
  const single = Object.entries(extra).find(([name]) => name.toLowerCase() === query.entity.toLowerCase());
  if (single) return slicePage(query, single[0], [single[1]]);
  const kind = kindNamed(query.entity);
  if (!kind) throw fault("4001", `QueryValidationError: invalid context declaration: ${query.entity}`);
  const conditions = query.where.map((condition) => checked(kind, condition));
  const asksActive = conditions.some(({ property }) => property === "Active");
  const found = findCandidates(sim.books, { realmId, kind, conditions });
  const matches = (isShownLate(kind) ? shownBy(sim, { realmId, kind }, found) : found)
    .filter((entity) => asksActive || !isNameList(kind) || entity["Active"] !== false)
    .filter((entity) => conditions.every((condition) => holds(entity, condition)));
  const isUnstable = query.orderBy.length === 0 && readSettings(sim).orderUnstable;
  return slicePage(query, kind, isUnstable ? shuffled(matches) : sorted(kind, matches, query));
}

let shuffles = 0;

/** The rows in another order than the last time. */
function shuffled(rows: readonly Entity[]): Entity[] {
  shuffles += 1;
  const place = ({ Id }: Entity) =>
    (Number(Id.slice(-9)) * (2 * shuffles + 1) * 2_654_435_761) % 4_294_967_291;
  return rows.toSorted((a, b) => place(a) - place(b));
}

function checked(kind: Kind, condition: Condition): Condition {
  return { ...condition, property: checkedName(kind, condition.property) };
}

function checkedName(kind: Kind, name: string): string {
  const property = filterable(kind, name);
  if (property === undefined)
    throw fault("4001", `QueryValidationError: Property ${name} not found for Entity ${kind}`);
  return property;
}

function slicePage(query: Query, kind: string, rows: Entity[]): QueryAnswer {
  if (query.count) return { response: { totalCount: rows.length }, rows: 0 };
  const page = rows.slice(query.startPosition - 1, query.startPosition - 1 + query.maxResults);
  if (page.length === 0) return { response: {}, rows: 0 };
  const shown = query.columns.length === 0 ? page : page.map((entity) => project(entity, query.columns));
  return {
    response: { [kind]: shown, startPosition: query.startPosition, maxResults: page.length },
    rows: page.length,
  };
}

function project(entity: Entity, columns: string[]): Fields {
  const wanted = new Set([
    ...columns.map((column) => (column.split(".")[0] ?? column).toLowerCase()),
    "id",
    "domain",
  ]);
  return {
    ...Object.fromEntries(Object.entries(entity).filter(([name]) => wanted.has(name.toLowerCase()))),
    sparse: true,
  };
}

function holds(entity: Entity, { property, operator, values }: Condition): boolean {
  return valuesAt(entity, property).some((actual) => {
    if (operator === "IN") return values.some((value) => compare(actual, value) === 0);
    const [wanted = ""] = values;
    if (operator === "LIKE") return likeMatches(String(actual), wanted);
    const order = compare(actual, wanted);
    if (operator === "=") return order === 0;
    if (operator === "<") return order < 0;
    if (operator === ">") return order > 0;
    return operator === "<=" ? order <= 0 : order >= 0;
  });
}

/** Values of a dotted name; a reference yields its id, a list each of its members. */
function valuesAt(entity: Entity, property: string): unknown[] {
  let level: unknown[] = [entity];
  for (const step of property.split(".")) {
    level = level.flatMap((value) => {
      const inner = (value as Fields)[step] ?? (value as Fields)[step.toLowerCase()];
      if (inner === undefined || inner === null) return [];
      return Array.isArray(inner) ? (inner as unknown[]) : [inner];
    });
  }
  return level.flatMap((value) => {
    if (typeof value !== "object" || value === null) return [value];
    return (value as Fields)["value"] ?? (value as Fields)["Address"] ?? [];
  });
}

/** Compares a stored value with a value of the statement: numbers and times by value, names ignoring case. */
function compare(actual: unknown, wanted: string): number {
  if (typeof actual === "number") return actual - Number(wanted);
  if (typeof actual === "boolean") return String(actual) === wanted.toLowerCase() ? 0 : 1;
  const text = String(actual);
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return Date.parse(text) - Date.parse(wanted);
  if (/^\d+$/.test(text) && /^\d+$/.test(wanted) && text.length < 16)
    return Number(text) - Number(wanted) || compareText(text, wanted);
  return compareText(text, wanted);
}

function compareText(a: string, b: string): number {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  return x < y ? -1 : x > y ? 1 : 0;
}

function likeMatches(actual: string, pattern: string): boolean {
  const source = pattern
    .split("%")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${source}$`, "is").test(actual);
}

/**
 * Sorts as requested; else names by full name (a sub-customer after its parent), transactions newest first.
 */
function sorted(kind: Kind, rows: Entity[], query: Query): Entity[] {
  const order = query.orderBy.map(({ property, descending }) => ({
    property: checkedName(kind, property),
    descending,
  }));
  if (order.length === 0 && !isNameList(kind)) return rows.toReversed();
  if (order.length === 0)
    order.push({
      property: kind === "Term" || kind === "TaxCode" ? "Name" : "FullyQualifiedName",
      descending: false,
    });
  return rows.toSorted((a, b) => {
    for (const { property, descending } of order) {
      const [x, y] = [sortKey(a, property), sortKey(b, property)];
      const result =
        x === undefined || y === undefined
          ? Number(x !== undefined) - Number(y !== undefined)
          : compare(x, String(y));
      if (result !== 0) return descending ? -result : result;
    }
    return 0;
  });
}

/** A colon sorts before every other character, so that a sub-customer comes right after its parent. */
function sortKey(entity: Entity, property: string): unknown {
  const [value] = valuesAt(entity, property);
  return property === "FullyQualifiedName" ? String(value).replaceAll(":", "\u0001") : value;
}

type Search = { realmId: string; kind: Kind; conditions: readonly Condition[] };

/**
 * Finds candidates of a statement in order of creation: by id, number, name or creation time if a condition
 * uses one of these; else all of the kind.
 */
export function findCandidates(books: Books, { realmId, kind, conditions }: Search): Entity[] {
  const exact = (property: string) =>
    conditions.find(
      (condition) => condition.property === property && ["=", "IN"].includes(condition.operator),
    );
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

/**
 * Returns invoices or files as queries currently show them: some not yet, some in their state before the last change.
 */
export function shownBy(
  sim: Simulator,
  { realmId, kind }: { realmId: string; kind: Kind },
  found: Entity[],
): Entity[] {
  const now = sim.clock.now().getTime();
  const { queryLagS } = readSettings(sim);
  const late = sim.lateViews.of(realmId, kind, now);
  const current = late.size === 0 ? found : found.filter(({ Id }) => !late.has(Id));
  const earlier = [...late.values()].filter((entity) => entity !== null);
  const shown = earlier.length === 0 ? current : inOrder([...current, ...earlier]);
  if (queryLagS === 0) return shown;
  return shown.filter(({ MetaData }) => Date.parse(MetaData.CreateTime) <= now - queryLagS * 1000);
}

/** Sorts by id, which increases with creation. */
function inOrder(entities: readonly Entity[]): Entity[] {
  const distinct = new Map(entities.map((entity) => [entity.Id, entity]));
  return [...distinct.values()].toSorted((a, b) => compareIds(a.Id, b.Id));
}

const compareIds = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1);

export function writeContext(call: ApiCall): WriteContext {
  return { sim: call.sim, company: call.company, who: call.userName, hiddenS: call.hiddenS };
}

/** Runs a statement for a call or for an item of its batch. @throws ApiFault 4000, 4001 */
export function runStatement(call: ApiCall, statement: string): Fields {
  const { sim, company } = call;
  const extra = { CompanyInfo: companyInfo(company), Preferences: preferences(company) };
  const { response, rows } = runQuery(sim, company.realmId, { statement, extra });
  call.tally.reads += rows;
  return response;
}

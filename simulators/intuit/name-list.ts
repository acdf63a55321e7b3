import { fault, missing } from "./api-fault.ts";
import type { Entity, Kind } from "./books.ts";
import { checkProperties } from "./check-properties.ts";
import { checkSyncToken, findPrevious, nextToken } from "./object-version.ts";
import { resolve } from "./references.ts";
import { metaNow, store, readText, withoutEmpty, type Fields, type WriteContext } from "./write-context.ts";

const NAME_OF: Partial<Record<Kind, string>> = { Customer: "DisplayName" };
const INACTIVE_SUFFIX = " (deleted)";

/** Creates a customer, item, term, class or department. @throws ApiFault 2010, 2020, 2040, 6240 and others */
export function createNamed(ctx: WriteContext, kind: Kind, input: Fields): Entity {
  checkProperties(kind, input, { latin1Only: ctx.company.country === "US" });
  const body = nameBody(ctx, kind, { input: withoutEmpty(input), previous: undefined });
  const entity: Entity = {
    ...body,
    domain: "QBO",
    sparse: false,
    Id: ctx.sim.books.nextId(ctx.company.realmId, kind, 1n),
    SyncToken: "0",
    MetaData: metaNow(ctx),
  };
  store(ctx, kind, { entity, operation: "created" });
  return entity;
}

/** Updates one; setting `Active` to false appends " (deleted)" to its name. @throws ApiFault */
export function updateNamed(ctx: WriteContext, kind: Kind, input: Fields): Entity {
  const previous = findPrevious(ctx, kind, input);
  checkSyncToken(ctx, input, previous);
  checkProperties(kind, input, { latin1Only: ctx.company.country === "US" });
  const sparse = String(input["sparse"]) === "true";
  const kept = sparse ? previous : { Balance: previous["Balance"], Active: previous["Active"] };
  const body = nameBody(ctx, kind, { input: withoutEmpty({ ...kept, ...input }), previous });
  const entity: Entity = {
    ...body,
    domain: "QBO",
    sparse: false,
    Id: previous.Id,
    SyncToken: previous.SyncToken,
    MetaData: previous.MetaData,
  };
  if (sameContent(entity, previous)) return previous;
  const changed = { ...entity, SyncToken: nextToken(previous), MetaData: metaNow(ctx, previous) };
  store(ctx, kind, { entity: changed, operation: "changed" });
  return changed;
}

type NameInput = { input: Fields; previous: Entity | undefined };

function nameBody(ctx: WriteContext, kind: Kind, { input, previous }: NameInput): Fields {
  const property = NAME_OF[kind] ?? "Name";
  const active = String(input["Active"]) !== "false";
  const name = withSuffix(checkedName(input, property), { active });
  const parent = resolve(ctx, input, { kind, property: "ParentRef" });
  const path = parent ? `${String(parent["FullyQualifiedName"])}:${name}` : name;
  refuseTaken(ctx, kind, { name: kind === "Customer" ? name : path, ownId: previous?.Id });
  const { Id: _id, SyncToken: _token, MetaData: _meta, domain: _domain, sparse: _sparse, ...rest } = input;
  return {
    ...rest,
    [property]: name,
    ...(kind !== "Term" && kind !== "TaxCode" && { FullyQualifiedName: path }),
    Active: active,
    ...(parent && { ParentRef: { value: parent.Id }, Level: Number(parent["Level"] ?? 0) + 1 }),
    ...(kind === "Customer" && customerDefaults(ctx, input, parent)),
  };
}

/** @throws ApiFault 2020 without a name, 2040 for an invalid one */
function checkedName(input: Fields, property: string): string {
  const name = readText(input, property) ?? individualName(input);
  if (name === undefined) throw missing(property);
  if (!/[:\t\n]/.test(name)) return name;
  throw fault("2040", `Invalid String. ${property} must not hold a colon, tab or new line.`, property);
}

function customerDefaults(ctx: WriteContext, input: Fields, parent: Entity | undefined): Fields {
  return {
    Job: parent !== undefined,
    BillWithParent: input["BillWithParent"] === true,
    Taxable: input["Taxable"] !== false,
    Balance: Number(input["Balance"] ?? 0),
    CurrencyRef: input["CurrencyRef"] ?? ctx.company.preferences["CurrencyPrefs"]?.["HomeCurrency"],
  };
}

function individualName(input: Fields): string | undefined {
  const parts = ["Title", "GivenName", "MiddleName", "FamilyName", "Suffix"].flatMap(
    (part) => readText(input, part) ?? [],
  );
  return parts.length > 0 ? parts.join(" ") : undefined;
}

function withSuffix(name: string, { active }: { active: boolean }): string {
  const bare = name.endsWith(INACTIVE_SUFFIX) ? name.slice(0, -INACTIVE_SUFFIX.length) : name;
  return active ? bare : `${bare}${INACTIVE_SUFFIX}`;
}

function refuseTaken(
  ctx: WriteContext,
  kind: Kind,
  { name, ownId }: { name: string; ownId: string | undefined },
): void {
  const taken = ctx.sim.books.named(ctx.company.realmId, kind, name).find((entity) => entity.Id !== ownId);
  if (!taken) return;
  throw fault(
    "6240",
    `The name supplied already exists. : Another customer, vendor or employee is already using this name. Please use a different name. Id=${taken.Id}`,
  );
}

function sameContent(a: Entity, b: Entity): boolean {
  const sorted = (entity: Entity) =>
    JSON.stringify(Object.entries(entity).sort(([x], [y]) => (x < y ? -1 : 1)));
  return sorted(a) === sorted(b);
}

import { fault, missing, notFound } from "./api-fault.ts";
import type { Entity, Kind } from "./books.ts";
import { refValue, type Fields, type WriteContext } from "./write-context.ts";

const ELEMENT_NAME: Record<Kind, string> = {
  Invoice: "Transaction",
  Customer: "Names",
  Item: "Item",
  Term: "Terms",
  Class: "Classes",
  Department: "Departments",
  TaxCode: "TaxCode",
  Attachable: "Attachable",
};

type Reference = { kind: Kind; property: string };

/**
 * Resolves a reference; undefined if it is absent.
 * @throws ApiFault 2500 if the object does not exist, 610 if it is inactive
 */
export function resolve(
  ctx: WriteContext,
  fields: Fields,
  { kind, property }: Reference,
): Entity | undefined {
  const id = refValue(fields, property);
  if (id === undefined) return undefined;
  const entity = ctx.sim.books.get(ctx.company.realmId, kind, id);
  if (!entity) throw fault("2500", `Invalid Reference Id : ${ELEMENT_NAME[kind]} element id ${id} not found`);
  if (entity["Active"] === false) throw notFound();
  return entity;
}

/** Resolves a required reference. @throws ApiFault 2020 too */
export function resolveRequired(ctx: WriteContext, fields: Fields, reference: Reference): Entity {
  const entity = resolve(ctx, fields, reference);
  if (!entity) throw missing(reference.property);
  return entity;
}

/** Builds a reference for answers, including the name. */
export function refTo(entity: Entity): { value: string; name: string } {
  const name = entity["FullyQualifiedName"] ?? entity["DisplayName"] ?? entity["Name"];
  return { value: entity.Id, name: String(name) };
}

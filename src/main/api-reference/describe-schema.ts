import { lastPart, type Schema } from "./read-calls.ts";

/** A schema as text, one line for each property: its name with ? if it may be left out, its type, and its limits. */
export function describeSchema(schema: Schema, indent = ""): string {
  if (schema.$ref !== undefined) return lastPart(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts) return [...new Set(parts.map((part) => describeSchema(part, indent)))].join(" | ");
  if (schema.properties) return describeProperties(schema, indent);
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["any"]);
  return types.map((type) => describeType(type, schema, indent)).join(" | ");
}

function describeProperties({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, property]) => {
    const note = property.description ? `  // ${property.description}` : "";
    return `${inner}${name}${required.includes(name) ? "" : "?"}: ${describeSchema(property, inner)}${note}\n`;
  });
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

function describeType(type: string, schema: Schema, indent: string): string {
  if (type === "null") return type;
  const limits = listLimits(schema);
  const facts = limits.length === 0 ? "" : ` (${limits.join(", ")})`;
  if (type === "array") return `list of ${describeSchema(schema.items ?? {}, indent)}${facts}`;
  const values = schema.additionalProperties;
  if (type === "object")
    return typeof values === "object" ? `by name: ${describeSchema(values, indent)}` : "object";
  return `${type}${facts}`;
}

/** Limits of whole numbers that JavaScript has anyway are left out. */
const isOwn = (limit: number | undefined): limit is number =>
  limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;

function listLimits(schema: Schema): string[] {
  const { format, minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  return [
    ...(format === undefined ? [] : [format]),
    ...(isOwn(minLength) && minLength > 0 ? [`at least ${minLength} long`] : []),
    ...(isOwn(maxLength) ? [`at most ${maxLength} long`] : []),
    ...(isOwn(minItems) ? [`at least ${minItems}`] : []),
    ...(isOwn(maxItems) ? [`at most ${maxItems}`] : []),
    ...(isOwn(minimum) ? [`from ${minimum}`] : []),
    ...(isOwn(maximum) ? [`to ${maximum}`] : []),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}

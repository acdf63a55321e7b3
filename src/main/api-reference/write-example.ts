import type { Call, Parameter, Schema } from "./read-calls.ts";

/** A call by curl, with an API key unless it is public, which fits the schemas. @param origin of this installation */
export function writeExample(call: Call, origin: string): string {
  const given = call.parameters.filter(({ in: place, required }) => place === "path" || required);
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_place, name: string) =>
    exampleText(given.find((parameter) => parameter.name === name)),
  );
  // The company is the key's.
  const query = given
    .filter(({ in: place, name }) => place === "query" && name !== "realm_id")
    .map((parameter) => `${parameter.name}=${encodeURIComponent(exampleText(parameter))}`)
    .join("&");
  const hasKey = call.parameters.some(({ name }) => name === "Idempotency-Key");
  return [
    `curl -X ${call.method} ${quote(`${origin}${path}${query && `?${query}`}`)}`,
    ...(call.takesKey ? ["-H 'Authorization: Bearer dk_…'"] : []),
    ...(hasKey ? ["-H 'Idempotency-Key: a-text-of-your-own'"] : []),
    ...call.body.slice(0, 1).flatMap(writeBody),
  ].join(" \\\n  ");
}

function writeBody([mediaType, schema]: [string, Schema]): string[] {
  if (mediaType === "application/json")
    return ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(exampleValue(schema)))}`];
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => schema.required?.includes(name))
    .map(([name, property]) =>
      property.format === "binary"
        ? `-F ${quote(`${name}=@invoices.xlsx`)}`
        : `-F ${quote(`${name}=${JSON.stringify(exampleValue(property))}`)}`,
    );
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const exampleText = (parameter: Parameter | undefined): string =>
  String(exampleValue(parameter?.schema ?? {}));

const TEXTS: Readonly<Record<string, string>> = {
  uuid: "0198c0de-0000-7000-8000-000000000001",
  "date-time": "2026-11-26T08:00:00Z",
  date: "2026-11-26",
  email: "user@example.com",
};

/** A value that fits the schema, with only what is required. */
function exampleValue(schema: Schema): unknown {
  const { type, anyOf, oneOf, properties, required = [] } = schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [part] = anyOf ?? oneOf ?? [];
  if (part) return exampleValue(part);
  if (properties)
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.includes(name))
        .map(([name, property]) => [name, exampleValue(property)]),
    );
  return exampleByType(typeof type === "string" ? type : type?.[0], schema);
}

function exampleByType(type: string | undefined, schema: Schema): unknown {
  switch (type) {
    case "string":
      return (TEXTS[schema.format ?? ""] ?? "text").slice(0, schema.maxLength);
    case "integer":
    case "number":
      return Math.min(Math.max(schema.minimum ?? 1, 1), schema.maximum ?? Infinity);
    case "boolean":
      return true;
    case "array":
      return [exampleValue(schema.items ?? {})];
    default:
      return {};
  }
}

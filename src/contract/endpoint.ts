import type * as z from "zod";

/** Groups of the product: app = Invoices, brainchild = Labels, admin = Admin. */
export const GROUPS = ["app", "brainchild", "admin"] as const;
export type Group = (typeof GROUPS)[number];

/**
 * Access rule of an endpoint.
 * `member`: signed in and member of the company the call is about: query `realm_id`, else header `X-Realm-Id`,
 * else the session's current company. `admin` asks for the company's admin, `group` for a group of the user.
 */
export type Access =
  | { kind: "public" }
  | { kind: "user"; group?: Group }
  | { kind: "member"; group?: Group; admin?: true };

/** An endpoint as data: the server mounts it, the browser client is typed by it, OpenAPI is printed from it. */
export type Endpoint = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path below the origin, parameters written `:name`. */
  path: string;
  summary: string;
  access: Access;
  /** `heavy`: takes much processor time, so that a session may ask for fewer of them. */
  cost?: "heavy";
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** With a file, the form may have it as JSON in a field "body" in front of the file; without that it is `{}`. */
  body?: z.ZodType;
  /** Multipart field that carries one file, and its limit in bytes. */
  file?: { field: string; maxBytes: number };
  /** Status of the good answer; 200 when absent. */
  status?: 200 | 202;
  /** JSON of the good answer, or the media type of a document. */
  response: z.ZodType | { mediaType: string };
  /** JSON of the answer 202, sent when the result takes longer than proxies wait. */
  late?: z.ZodType;
};

/** Declares an endpoint, keeping its exact type. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type Shape<T, Missing> = T extends z.ZodType ? z.output<T> : Missing;

/** Parsed input of a handler of `E`. */
export type EndpointInput<E extends Endpoint> = {
  params: Shape<E["params"], undefined>;
  query: Shape<E["query"], undefined>;
  body: Shape<E["body"], undefined>;
};

/** Reply of a handler of `E` (JSON endpoints): nothing where it has no fields. */
export type EndpointReply<E extends Endpoint> = E["response"] extends z.ZodType
  ? z.input<E["response"]> extends Record<string, never>
    ? void
    : z.input<E["response"]>
  : never;

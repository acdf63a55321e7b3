import type * as z from "zod";

/** User groups: app = Invoices, brainchild = Labels, admin = Admin. */
export const GROUPS = ["app", "brainchild", "admin"] as const;
export type Group = (typeof GROUPS)[number];

/** Scopes of API keys: what a program may do with one. */
export const KEY_SCOPES = ["upload", "read", "orders"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Groups of the calls of a scope; those of `read` are in several. */
export const GROUP_OF: Readonly<Record<KeyScope, Group | undefined>> = {
  upload: "app",
  read: undefined,
  orders: "brainchild",
};

/**
 * Access rule of an endpoint.
 * `member`: signed in and a member of the call's company: query `realm_id`, else header `X-Realm-Id`, else
 * the session's current company. `admin` requires the company's admin, `group` a group of the user.
 * `key`: a company's own program with one of its keys, `Authorization: Bearer dk_…`; cookies are not read.
 * A key needs a maker with the group, too.
 * `keys`: one of these scopes is enough for a key. A `member` endpoint with them answers keys besides sessions.
 */
export type Access =
  | { kind: "public" }
  | { kind: "user"; group?: Group }
  | { kind: "member"; group?: Group; admin?: true; keys?: readonly KeyScope[] }
  | { kind: "key"; group?: Group; keys: readonly KeyScope[] };

/** Scopes with which a key may call; none for endpoints that take no keys. */
export const listKeyScopes = (access: Access): readonly KeyScope[] => ("keys" in access && access.keys) || [];

/**
 * How much comes in from callers that are not known. What reads such input declares a gate, else the start is refused
 * (`src/platform/http/gate.ts`).
 */
export type Gate = {
  /** Whose calls share a limit of their network. */
  of: "guests" | "pages" | "recorders" | "vendors";
  maxBytes: number;
  /** How content over 64 kB is read: in a thread with limits, after its signature was checked, or not by us. */
  large?: "in a thread" | "once signed" | "passed on";
};

/**
 * An endpoint as data: the source of the server's route, the browser client's types, and the OpenAPI
 * document.
 */
export type Endpoint = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path on the origin; parameters are written `:name`. */
  path: string;
  summary: string;
  access: Access;
  /** `heavy`: takes much processor time, so a session may make fewer such calls. */
  cost?: "heavy";
  params?: z.ZodObject;
  query?: z.ZodObject;
  /**
   * In a form with a file, the body is JSON in a field "body" before the file; without that field it is `{}`.
   */
  body?: z.ZodType;
  /** Limit of a JSON body in bytes; default 1 MB. */
  maxBodyBytes?: number;
  /** Required where access is public and the method is not GET. */
  gate?: Gate;
  /** A GET that changes something: no picture or style of a page may call it. */
  changes?: true;
  /** A POST that changes nothing here or at a vendor: its answers are not kept for an Idempotency-Key. */
  readsOnly?: true;
  /** The answer has a secret, which no repeat under the same Idempotency-Key gets again. */
  isShownOnce?: true;
  /** Multipart field for one file, and its limit in bytes. */
  file?: { field: string; maxBytes: number };
  /** Status of a successful answer; default 200. */
  status?: 200 | 202;
  /** JSON schema of a successful answer, or the media type of a document. */
  response: z.ZodType | { mediaType: string };
  /** Body of the 202 reply, sent when the result takes longer than proxies wait. */
  accepted?: z.ZodType;
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

/** Reply of a handler of `E` (JSON endpoints): nothing if it has no fields. */
export type EndpointReply<E extends Endpoint> = E["response"] extends z.ZodType
  ? z.input<E["response"]> extends Record<string, never>
    ? void
    : z.input<E["response"]>
  : never;

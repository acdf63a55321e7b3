import { formFields, type WireRequest } from "../kit/http.ts";
import { readOperation } from "./entity-write.ts";
import { kindNamed } from "./query-properties.ts";
import type { Fields } from "./write-context.ts";

const OAUTH: Record<string, string> = {
  "/.well-known/openid_configuration": "discovery",
  "/.well-known/openid_sandbox_configuration": "discovery",
  "/v2/oauth2/tokens/revoke": "oauth.revoke",
  "/v1/openid_connect/userinfo": "oauth.userinfo",
  "/op/v1/jwks": "oauth.jwks",
};

/**
 * Name of what a request asks for, used by fault rules and the journal: `invoice.create`, `invoice.update`,
 * `invoice.read`, `query`, `batch`, `cdc`, `upload`, `download`, `companyinfo.read`, `oauth.refresh_token` and so on.
 */
export function operationName(request: WireRequest): string {
  const path = request.url.pathname;
  if (path === "/oauth2/v1/tokens/bearer")
    return `oauth.${formFields(request.body).get("grant_type") ?? "unknown"}`;
  const oauth = OAUTH[path.replace(/\/$/, "")];
  if (oauth !== undefined) return oauth;
  if (path.startsWith("/dl/")) return "file";
  const [, , , , resource = "", , action] = path.split("/");
  if (["query", "batch", "cdc", "upload", "download"].includes(resource)) return resource;
  if (action !== undefined) return `${resource}.${action}`;
  if (request.method !== "POST" || !kindNamed(resource)) return `${resource}.read`;
  return `${resource}.${readOperation(request.url.searchParams, lenientBody(request))}`;
}

/** Company of an API path, if it is one. */
export function readRealmId(request: WireRequest): string | null {
  return /^\/v3\/company\/([^/]+)/.exec(request.url.pathname)?.[1] ?? null;
}

function lenientBody(request: WireRequest): Fields {
  try {
    return (JSON.parse(request.body.toString("utf8")) ?? {}) as Fields;
  } catch {
    return {};
  }
}

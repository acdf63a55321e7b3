import { endpoint, KEY_SCOPES } from "#contract/endpoint.ts";
import { filledText } from "#contract/text.ts";
import { adminCall, realmQuery } from "#features/companies/contract.ts";
import * as z from "zod";

/** A key of a company, without its secret. */
const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes: z.array(z.enum(KEY_SCOPES)),
  /** Last four characters of the secret. */
  ending: z.string(),
  created_at: z.iso.datetime(),
  /** E-mail of the admin who made it. */
  created_by: z.string(),
  /** Last use, to the minute; null before the first. */
  last_used_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
});
export type ApiKey = z.output<typeof apiKey>;

export const listKeys = endpoint({
  ...adminCall,
  method: "GET",
  path: "/api/v1/company/api-keys",
  summary: "Lists a company's API keys: active ones first, then revoked ones, newest first",
  response: z.object({ keys: z.array(apiKey) }),
});

export const makeKey = endpoint({
  ...adminCall,
  method: "POST",
  path: "/api/v1/company/api-keys",
  summary: "Creates an API key of a company; its secret is only in this answer",
  body: z.strictObject({
    name: filledText(60),
    /** `upload`: upload invoices and read their results; `read`: lists and results; `orders`: add orders. */
    scopes: z.array(z.enum(KEY_SCOPES)).min(1).max(KEY_SCOPES.length).default(["orders"]),
  }),
  isShownOnce: true,
  response: z.object({ key: apiKey, secret: z.string() }),
});

export const revokeKey = endpoint({
  ...adminCall,
  method: "DELETE",
  path: "/api/v1/company/api-keys",
  summary: "Revokes an API key of a company at once; repeating it is harmless",
  query: realmQuery.extend({ key_id: z.uuid() }),
  response: z.object({}),
});

import { endpoint } from "#contract/endpoint.ts";
import { filledText, lineText } from "#contract/text.ts";
import { adminCall, realmQuery } from "#features/companies/contract.ts";
import * as z from "zod";

const supportGrant = z.object({
  id: z.string(),
  /** E-mail of the operator. */
  operator: z.string(),
  reason: z.string(),
  started_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
});
export type SupportGrant = z.output<typeof supportGrant>;

export const listGrants = endpoint({
  ...adminCall,
  method: "GET",
  path: "/api/v1/company/support",
  summary: "Lists who in support can open a company's files now, and until when",
  response: z.object({ grants: z.array(supportGrant) }),
});

export const endGrant = endpoint({
  ...adminCall,
  method: "DELETE",
  path: "/api/v1/company/support",
  summary: "Ends an operator's access to a company's files at once; repeating it is harmless",
  query: realmQuery.extend({ grant_id: z.uuid() }),
  response: z.object({}),
});

export const askForGrant = endpoint({
  method: "POST",
  path: "/api/v1/admin/support",
  summary:
    "Opens a company's files to the calling operator for 24 hours, with a reason; the company's admin can end it",
  access: { kind: "user", group: "admin" },
  body: z.object({
    realm_id: lineText().min(1).max(32),
    reason: filledText(300),
  }),
  response: z.object({ ends_at: z.iso.datetime() }),
});

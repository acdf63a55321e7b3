import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import { adminCall, realmQuery } from "#features/companies/contract.ts";
import * as z from "zod";

const PATH = "/api/v1/company/connect-ups";

/** A UPS account number has six letters and digits. */
export const UPS_ACCOUNT = /^[A-Z0-9]{6}$/;

export const startLink = endpoint({
  ...adminCall,
  method: "GET",
  changes: true,
  path: PATH,
  summary: "Starts connecting a UPS account: returns the UPS page where the user signs in",
  query: realmQuery.extend({ ups_account: lineText().max(100) }),
  response: z.object({ redirect: z.url() }),
});

export const finishLink = endpoint({
  method: "POST",
  path: PATH,
  summary: "Completes connecting a UPS account with the code from UPS; only in the session that started it",
  access: { kind: "user" },
  body: z.strictObject({ code: lineText().min(1).max(4000), state: lineText().min(1).max(200) }),
  response: z.object({ realm_id: z.string(), ups_account: z.string() }),
});

export const endLink = endpoint({
  ...adminCall,
  method: "DELETE",
  path: PATH,
  summary: "Ends our access to a company's UPS account; disconnecting twice is harmless",
  /** `ups_account` may name the account; another one than the connected one is refused. */
  query: realmQuery.extend({ ups_account: lineText().max(100).optional() }),
  response: z.object({}),
});

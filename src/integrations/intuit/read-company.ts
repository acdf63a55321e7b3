import * as z from "zod";
import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import type { Answer } from "#integrations/intuit/exchange.ts";
import { companyInfo, preferences, type CompanyInfo, type Preferences } from "#integrations/intuit/wire.ts";

/** Name, country and so on of the company; reading it also proves that a token is good for this realm. */
export function readCompanyInfo(
  call: CallRealm,
  realmId: string,
  signal?: AbortSignal,
): Promise<Answer<CompanyInfo>> {
  const answer = z.object({ CompanyInfo: companyInfo }).transform((body) => body.CompanyInfo);
  return call(
    { method: "GET", path: `/companyinfo/${encodeURIComponent(realmId)}`, write: false, signal },
    answer,
  );
}

/** How the company has set up QuickBooks: numbering, shipping fields, classes, currencies, tax. */
export function readPreferences(call: CallRealm, signal?: AbortSignal): Promise<Answer<Preferences>> {
  const answer = z.object({ Preferences: preferences }).transform((body) => body.Preferences);
  return call({ method: "GET", path: "/preferences", write: false, signal }, answer);
}

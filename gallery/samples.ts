import type { SessionCompany } from "#features/identity/contract.ts";
import type { company } from "#features/companies/contract.ts";
import { acme, type Said } from "./stage.tsx";
import { galleryWords } from "./words.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import type { Session } from "#web/kit/session/session.ts";
import type { output } from "zod";

type Details = output<typeof company>;

/** So many companies of a session, of which the first is current. */
export function manyCompanies(
  count: number,
): Pick<Session, "companies" | "companyCount" | "company" | "realmId"> {
  const companies: SessionCompany[] = galleryWords.companies
    .slice(0, count)
    .map((name, index) => ({ ...acme, id: `sample-${index + 1}`, name }));
  return { companies, companyCount: count, company: companies[0] ?? null, realmId: companies[0]?.id ?? null };
}

/** What the server says of Acme Tools. */
export function acmeIs(more: Partial<Details> = {}): Said {
  return {
    key: queryKeys.companies,
    data: { companies: [{ ...acme, services: [], connection: "connected", ...more }] },
  };
}

/** A failure of a call. */
export const failure = new Error(galleryWords.failure);

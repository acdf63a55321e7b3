import type { SessionCompany } from "#features/identity/contract.ts";

/** From so many companies on, a field finds one by its name: accountants have dozens. */
export const FIND_COMPANY_FROM = 8;

/** The companies whose names have this text in them, in capitals or not; all of them for an empty one. */
export function companiesNamed(
  companies: readonly SessionCompany[],
  text: string,
): readonly SessionCompany[] {
  const wanted = text.trim().toLowerCase();
  return companies.filter(({ name }) => name.toLowerCase().includes(wanted));
}

import { boot } from "#web/kit/boot.ts";

/** Where the simulated QuickBooks shows a company's books, or its companies; null with the real one. */
export function booksAddress(realmId?: string): string | null {
  if (!boot.simulators) return null;
  const { intuit } = boot.simulators;
  return realmId === undefined ? intuit : `${intuit.replace(/\/+$/, "")}/qbo/${encodeURIComponent(realmId)}`;
}

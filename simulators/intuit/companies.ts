import { findDocument, listDocuments, saveDocument } from "../kit/documents.ts";
import type { CompanyLimits } from "./limits.ts";
import type { Simulator } from "./simulator.ts";

export type CompanyStatus = "active" | "subscription_expired" | "locked" | "maintenance";

export type PreferenceGroup = Record<string, unknown>;

export type Company = {
  realmId: string;
  name: string;
  legalName: string;
  /** ISO 3166 code, two letters. */
  country: string;
  timeZone: string;
  email: string;
  address: Record<string, string>;
  preferences: Record<string, PreferenceGroup>;
  /** Subs of the users who may connect it. */
  admins: string[];
  status: CompanyStatus;
  limits: CompanyLimits;
  /** Percentage that automated sales tax applies to lines with code TAX. */
  taxPercent: string;
  createdAt: string;
};

export const DEFAULT_LIMITS: CompanyLimits = {
  perMinute: 500,
  perSecond: 10,
  batchPerMinute: 40,
  batchPerMinuteRealm: 120,
  atOnce: 10,
  answer: "json",
  retryAfter: null,
};

const COMPANIES = { name: "company", key: "realm_id" };

export const listCompanies = (sim: Simulator) => listDocuments<Company>(sim.db, COMPANIES);

export function listUserCompanies(sim: Simulator, sub: string): Company[] {
  return listCompanies(sim).filter((company) => company.admins.includes(sub));
}

export const findCompany = (sim: Simulator, realmId: string) =>
  findDocument<Company>(sim.db, COMPANIES, realmId);

export const saveCompany = (sim: Simulator, company: Company) =>
  saveDocument(sim.db, COMPANIES, { id: company.realmId, document: company });

/** Reads a boolean preference, e.g. `preferenceOn(company, "SalesFormsPrefs", "CustomTxnNumbers")`. */
export function preferenceOn(company: Company, group: string, name: string): boolean {
  return company.preferences[group]?.[name] === true;
}

/** Current date in the company's time zone, `YYYY-MM-DD`. */
export function companyToday(sim: Simulator, company: Company): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: company.timeZone }).format(sim.clock.now());
}

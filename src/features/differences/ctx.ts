import type { Notifying } from "#features/notices/index.ts";
import type { Ctx } from "#platform/ctx.ts";

export type DifferencesCtx = Ctx & Notifying & { compare: Readonly<Record<Vendor, Compare>> };

export type Vendor = "ups" | "stripe" | "quickbooks";

/** A difference between our records and a vendor's, as facts. */
export type Found = {
  subject: string;
  code: string;
  params: Readonly<Record<string, string>>;
  /** The admin has a mail about it already. */
  isMailed?: boolean;
};

/** The outcome of a comparison. `subjects` are those that were compared; null for all. */
export type Comparison = { subjects: readonly string[] | null; differences: readonly Found[] };

/** Compares a company's records with a vendor's, and changes nothing; null without anything to compare. */
type Compare = (realmId: string) => Promise<Comparison | null>;

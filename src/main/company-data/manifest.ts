/** Last file of an export: an archive without it is incomplete. */
export const MANIFEST = "manifest.json";

/** Users that rows of an export name. */
export const USERS = "app_user";

export const tablePath = (name: string): string => `tables/${name}.csv`;

/** Content of an export: version, the company, counts, and a hash of each file. */
export type CompanyManifest = {
  format: 1;
  release: string;
  /** Moment at which the database was seen. */
  made_at: string;
  company: { id: string; name: string };
  tables: { name: string; columns: string[]; rows: number }[];
  files: { path: string; bytes: number; sha256: string }[];
  /** Tables and columns that it doesn't have, with the reason. */
  left_out: { name: string; because: string }[];
};

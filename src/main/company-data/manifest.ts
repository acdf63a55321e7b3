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

/** Explains an export to its readers. */
export const writeReadme = (product: string, { id, name }: CompanyManifest["company"]): Buffer =>
  Buffer.from(`All data of ${name} (company ${id}) in ${product}

tables/   One CSV file for each table (UTF-8, commas, column headings in the first line).
          Times are in UTC. An empty cell means no value, "" is an empty text.
          Read the columns as text: a cell is exactly what was stored, and a spreadsheet
          program would take one that begins with = as a formula.
files/    The files that tables name: uploaded workbooks, order files and their
          acknowledgments, notices for retailers, UPS labels, and proofs of delivery.
          Packing slips, GS1 labels and dispute packs are not stored: ${product} draws them
          from the rows of the tables.
manifest.json
          The version, the number of rows of each table, the SHA-256 hash of each file,
          and what was left out: passwords, tokens and other secrets.

Users are in tables/app_user.csv: only those that other tables name, with name and email.
`);

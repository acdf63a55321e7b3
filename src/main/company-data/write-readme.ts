import type { CompanyManifest } from "./manifest.ts";

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

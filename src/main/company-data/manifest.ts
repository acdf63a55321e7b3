import * as z from "zod";
import { lineText } from "#contract/text.ts";

/** Last file of an export: an archive without it is incomplete. */
export const MANIFEST = "manifest.json";

/** Users that rows of an export name. */
export const USERS = "app_user";

export const tablePath = (name: string): string => `tables/${name}.csv`;

const name = z.string().regex(/^[a-z]\w*$/);

export const manifest = z.object({
  format: z.literal(1),
  release: z.string(),
  /** Moment at which the database was seen. */
  made_at: z.iso.datetime(),
  company: z.object({ id: z.string().regex(/^\d{1,32}$/), name: lineText() }),
  /** Migrations of its database, in order. */
  migrations: z.array(z.string()),
  /** In an order in which they can be filled. `use`: see `CompanyTable`. */
  tables: z.array(z.object({ name, columns: z.array(name).min(1), rows: z.int().min(0), use: z.string() })),
  files: z.array(
    z.object({
      path: z.string().regex(/^(README\.txt|tables\/\w+\.csv|files\/[\w-]+\/[\w.-]+)$/),
      bytes: z.int().min(0),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      /** Key of a stored file, for an import. */
      key: z.string().optional(),
    }),
  ),
  /** Tables and columns that it doesn't have, with the reason. */
  left_out: z.array(z.object({ name: z.string(), because: z.string() })),
});

/** Content of an export: versions, the company, counts, and a hash of each file. */
export type CompanyManifest = z.output<typeof manifest>;

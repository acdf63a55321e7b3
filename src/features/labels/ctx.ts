import type { ObjectStore } from "#integrations/objects/file-store.ts";
import type { Journal } from "#integrations/objects/journal.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";

export type LabelsCtx = Ctx & {
  objects: ObjectStore;
  /** Where labels are made: a statement may wait longer for another process's numbers than a page waits for anything. */
  makingDb: Db;
  /** Blocks of serials that were given, kept outside the database. */
  serials: Journal;
};

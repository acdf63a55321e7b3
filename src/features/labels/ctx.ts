import type { FileCache } from "#integrations/objects/file-cache.ts";
import type { ObjectStore } from "#integrations/objects/object-store.ts";
import type { Journal } from "#integrations/objects/journal.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { WithQuotas } from "#platform/quotas.ts";

export type LabelsCtx = Ctx &
  WithQuotas & {
    objects: ObjectStore;
    /** Journal of promises, stored outside the database; here, high-water marks of serials. */
    journal: Journal;
    /** Cache of large printed documents. */
    documents: FileCache;
  };

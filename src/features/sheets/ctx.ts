import type { ObjectStore } from "#integrations/objects/object-store.ts";
import type { Ctx } from "#platform/ctx.ts";

export type SheetsCtx = Ctx & { objects: ObjectStore };

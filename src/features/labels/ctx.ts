import type { ObjectStore } from "#integrations/objects/file-store.ts";
import type { Ctx } from "#platform/ctx.ts";

export type LabelsCtx = Ctx & { objects: ObjectStore };

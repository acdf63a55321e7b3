import type { Compare, Vendor } from "#features/differences/types.ts";
import type { Notifying } from "#features/notices/index.ts";
import type { Ctx } from "#platform/ctx.ts";

export type DifferencesCtx = Ctx & Notifying & { compare: Readonly<Record<Vendor, Compare>> };

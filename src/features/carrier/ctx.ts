import type { Notifying } from "#features/notices/index.ts";
import type { Ups } from "#integrations/ups/client.ts";
import type { SealingKeys } from "#platform/crypto/seal.ts";
import type { Ctx } from "#platform/ctx.ts";

/** The context of carrier accounts. */
export type CarrierCtx = Ctx &
  Notifying & {
    /** Null where no UPS accounts are connected. */
    ups: Ups | null;
    sealingKeys: SealingKeys;
  };

export type LinkedCtx = CarrierCtx & { ups: Ups };

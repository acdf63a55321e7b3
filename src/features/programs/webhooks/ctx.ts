import type { Notifying } from "#features/notices/index.ts";
import type { SealingKeys } from "#platform/crypto/seal.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Reach, Resolve } from "#platform/outbound/public-address.ts";

/** The context of webhooks. */
export type WebhooksCtx = Ctx &
  Notifying & {
    sealingKeys: SealingKeys;
    /** Base URL of the links in messages. */
    publicUrl: string;
    /** Addresses that may be called. */
    reach: Reach;
    resolve: Resolve;
  };

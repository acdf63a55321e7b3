import type { Notifying } from "#features/notices/index.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import type { SealingKeys } from "#platform/crypto/seal.ts";

/** The context of folders of orders. */
export type FoldersCtx = OrdersCtx &
  Notifying & {
    sealingKeys: SealingKeys;
    folders: {
      /** Folder of this machine below which companies may have one; null for none. */
      base: string | null;
      /** Whether SFTP servers in private networks may be called. */
      allowPrivate: boolean;
      /** Time for each answer of an SFTP server. */
      answerMs: number;
    };
  };

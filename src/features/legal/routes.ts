import { auditBy } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import { createLimiter } from "#platform/http/limiter.ts";
import type { Mount } from "#platform/http/mount.ts";
import * as contract from "#features/legal/contract.ts";
import { receiveMessage, SENDER_LIMIT } from "#features/legal/receive-message.ts";

/** Messages to the operators. */
export function legalRoutes<Caller>(mount: Mount<Caller>, ctx: Ctx): void {
  // Kept in memory: an address is personal, and a limit for each process is enough against a flood.
  const countMessage = createLimiter(ctx.clock, SENDER_LIMIT);

  mount(contract.sendMessage, async ({ body }, { request }) => {
    const actor = { userId: null, realmId: null, requestId: request.id };
    await receiveMessage(
      { ...ctx, ...auditBy(ctx, actor), countMessage },
      { from: request.ip, message: body },
    );
  });
}

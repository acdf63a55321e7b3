import type { Audited } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import { AppError } from "#platform/errors.ts";
import type { ContactMessage } from "#features/legal/contract.ts";
import { callerNetwork } from "#platform/http/gate.ts";
import type { Limiter } from "#platform/http/limiter.ts";
import { addMessage, removeMessages } from "#features/legal/store.ts";
import { DAY_MS } from "#platform/time.ts";

/** Messages one sender may send within the time (ms). */
export const SENDER_LIMIT = { max: 5, withinMs: 10 * 60_000 } as const;

/** Days after which messages are deleted. */
const MESSAGE_RETENTION_DAYS = 400;

/**
 * Stores a message for group admin.
 * @param from address the request came from
 * @throws AppError 429 for too many messages of one sender
 */
export async function receiveMessage(
  ctx: Ctx & Audited & { countMessage: Limiter },
  { from, message }: { from: string; message: ContactMessage },
): Promise<void> {
  const now = ctx.clock.now();
  const waitMs = ctx.countMessage(callerNetwork(from));
  if (waitMs !== null) {
    throw new AppError({
      status: 429,
      code: "too_many_messages",
      detail: "You've already sent several messages. Wait a few minutes before you send another.",
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  }
  const id = ctx.ids.uuid();
  await ctx.db.transaction().execute(async (tx) => {
    await addMessage(tx, { ...message, id, sent_at: now });
    await ctx.audit(tx, { action: "legal.send_message", ids: { message: id } });
  });
}

/** Deletes messages past their retention. */
export const removeOldMessages = ({ db, clock }: Pick<Ctx, "db" | "clock">): Promise<void> =>
  removeMessages(db, new Date(clock.now().getTime() - MESSAGE_RETENTION_DAYS * DAY_MS));

import { every } from "#platform/clock.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Change, ChangeFeed } from "#platform/events/change-feed.ts";
import type { EventStream } from "#platform/http/event-stream.ts";
import { peekSession } from "#features/identity/index.ts";
import { findMembersAmong } from "#features/companies/store-members.ts";

/**
 * Streams changes to members as hints without content: `change` with realm and kind. Each change costs one query for the
 * listening members of its company. Checking whether a session is alive does not extend it.
 * @returns function that streams changes to one user until the session of `cookie` ends
 */
export function createChangeStreams(ctx: Ctx & { changes: ChangeFeed; limits: { checkStreamsMs: number } }) {
  const listeners = new Map<EventStream, { userId: string }>();

  const publish = async ({ realmId, kind, userIds = [] }: Change) => {
    if (kind === "labels" || kind === "packages") return;
    const listening = new Set([...listeners.values()].map(({ userId }) => userId));
    if (listening.size === 0) return;
    // Members of a disconnected company receive its own changes, but none of its invoices.
    const among = { userIds: [...listening], isDisconnectedToo: kind === "companies" };
    const receivers = new Set([...(await findMembersAmong(ctx.db, realmId, among)), ...userIds]);
    for (const [stream, { userId }] of listeners)
      if (receivers.has(userId)) stream.send("change", { realm_id: realmId, kind });
  };
  ctx.changes.subscribe(
    (change) =>
      // Clients that miss a hint poll.
      void publish(change).catch((error: unknown) =>
        ctx.log.warn({ err: error }, "A change could not be announced"),
      ),
  );

  return (stream: EventStream, cookie: string | undefined): void => {
    const check = async () => {
      const session = await peekSession(ctx, cookie);
      if (!session) return stream.close();
      if (!stream.isClosed()) listeners.set(stream, { userId: session.user.id });
    };
    const checkSafely = () => void check().catch(() => stream.close());
    const stopChecking = every(ctx.clock, ctx.limits.checkStreamsMs, checkSafely);
    stream.onClose(() => {
      stopChecking();
      listeners.delete(stream);
    });
    checkSafely();
  };
}

import type { Ctx } from "#platform/ctx.ts";
import type { Change, ChangeFeed } from "#platform/events/change-feed.ts";
import type { EventStream } from "#platform/http/event-stream.ts";
import { peekSession } from "#features/identity/index.ts";
import { findMembersAmong } from "#features/companies/store-members.ts";

/**
 * Streams what changes to those who may know, as hints without content: `change` with realm and kind. A change costs one
 * question, who of all that listen is a member of its company now. Looking whether a session still lives does not keep
 * it alive.
 * @returns streams the changes in the companies of one user; `cookie` is the session the stream ends with
 */
export function createChangeStreams(ctx: Ctx & { changes: ChangeFeed; limits: { checkStreamsMs: number } }) {
  const listeners = new Map<EventStream, { userId: string }>();

  const publish = async ({ realmId, kind, userIds = [] }: Change) => {
    if (kind === "labels") return;
    const listening = new Set([...listeners.values()].map(({ userId }) => userId));
    if (listening.size === 0) return;
    // That it is disconnected is news of a company; what goes on in it then is not.
    const among = { userIds: [...listening], isDisconnectedToo: kind === "companies" };
    const receivers = new Set([...(await findMembersAmong(ctx.db, realmId, among)), ...userIds]);
    for (const [stream, { userId }] of listeners)
      if (receivers.has(userId)) stream.send("change", { realm_id: realmId, kind });
  };
  ctx.changes.subscribe(
    (change) =>
      // Whoever misses a hint polls.
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
    const timer = setInterval(checkSafely, ctx.limits.checkStreamsMs);
    stream.onClose(() => {
      clearInterval(timer);
      listeners.delete(stream);
    });
    checkSafely();
  };
}

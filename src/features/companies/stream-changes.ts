import type { Ctx } from "#platform/ctx.ts";
import type { ChangeFeed } from "#platform/events/change-feed.ts";
import type { EventStream } from "#platform/http/event-stream.ts";
import { peekSession } from "#features/identity/index.ts";
import { findCompaniesOf } from "#features/companies/store.ts";

/** Who left a company, or signed out, hears nothing any more after this long. */
const ASK_AGAIN_MS = 5_000;

/**
 * Tells a browser what changes in the companies of its person, as hints without content: `change` with realm and kind.
 * The right to hear is asked for again every few seconds, which is no use of the session; without one the stream ends.
 */
export function streamChanges(
  ctx: Ctx & { changes: ChangeFeed },
  stream: EventStream,
  cookie: string | undefined,
): void {
  let realms: ReadonlySet<string> = new Set();
  const ask = async () => {
    const session = await peekSession(ctx, cookie);
    if (!session) return stream.close();
    const companies = await findCompaniesOf(ctx.db, session.person.email);
    realms = new Set(companies.map(({ realmId }) => realmId));
  };
  const unsubscribe = ctx.changes.subscribe(({ realmId, kind }) => {
    if (realms.has(realmId)) stream.send("change", { realm_id: realmId, kind });
  });
  const askSafely = () => void ask().catch(() => stream.close());
  const timer = setInterval(askSafely, ASK_AGAIN_MS);
  stream.onClose(() => {
    clearInterval(timer);
    unsubscribe();
  });
  askSafely();
}

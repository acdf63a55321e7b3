import type { WebhooksCtx } from "#features/companies/webhooks/ctx.ts";
import type { StoredMessage } from "#features/companies/webhooks/store.ts";

/** Page on which a user sees what an event is about. */
const PAGES: Readonly<Record<string, string>> = {
  "upload.finished": "/app/",
  "labels.made": "/label/",
  "package.delivered": "/tracking/",
  "connection.lost": "/get-app/",
};

/** Writes the body of a message, the same for every attempt. */
export function writeBody(
  { publicUrl }: Pick<WebhooksCtx, "publicUrl">,
  { realm_id: realmId, event, data, created_at: at }: StoredMessage,
): string {
  const page = PAGES[event] ?? "/settings/";
  return JSON.stringify({
    type: event,
    timestamp: at.toISOString(),
    data: { company_id: realmId, ...data, page: `${publicUrl}${page}` },
  });
}

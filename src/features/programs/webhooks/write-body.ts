import type { WebhooksCtx } from "#features/programs/webhooks/ctx.ts";
import type { StoredMessage } from "#features/programs/webhooks/store.ts";

/** Page on which a user sees what an event is about; Settings for any other one. */
const PAGES: Readonly<Record<string, string>> = {
  "upload.finished": "/app/",
  "labels.made": "/label/",
  "gs1_labels.made": "/label/",
  "package.delivered": "/tracking/",
  "invoice.posted": "/orders/",
  "order.accepted": "/orders/",
  "order.refused": "/orders/",
};

const findPage = (event: string, { vendor }: Readonly<Record<string, unknown>>): string =>
  event === "connection.lost" && vendor === "intuit" ? "/get-app/" : (PAGES[event] ?? "/settings/");

/** Writes the body of a message, the same for every attempt. */
export function writeBody(
  { publicUrl }: Pick<WebhooksCtx, "publicUrl">,
  { realm_id: realmId, event, data, created_at: at }: StoredMessage,
): string {
  return JSON.stringify({
    type: event,
    timestamp: at.toISOString(),
    data: { company_id: realmId, ...data, page: `${publicUrl}${findPage(event, data)}` },
  });
}

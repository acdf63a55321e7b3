import { formatZoned } from "#web/kit/format.ts";
import { webhooksQuery } from "#features/programs/web/queries.ts";
import { webhookWords as words } from "#features/programs/web/webhooks/words.ts";
import { Chip } from "#web/kit/chip.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { OpenRow } from "#web/kit/rows.tsx";
import { useQuery } from "@tanstack/react-query";

const Webhooks = lazyPart(
  async () => (await import("#features/programs/web/webhooks/webhooks.tsx")).Webhooks,
);

/** Webhooks of a company: how many, and whether they accept what is sent. */
export function WebhooksRow({ realmId }: { realmId: string }) {
  return (
    <OpenRow {...words.row} state={<State realmId={realmId} />}>
      <Webhooks realmId={realmId} />
    </OpenRow>
  );
}

function State({ realmId }: { realmId: string }) {
  const { data } = useQuery(webhooksQuery(realmId));
  if (!data) return null;
  const { webhooks, messages } = data;
  const off = webhooks.filter(({ state }) => state !== "active").length;
  if (off > 0) return <Chip tone="amber">{words.off(off, webhooks.length)}</Chip>;
  const last = messages.find(({ state }) => state === "delivered")?.attempted_at;
  return words.count(webhooks.length) + (last ? ` · ${words.lastDelivered(formatZoned(last))}` : "");
}

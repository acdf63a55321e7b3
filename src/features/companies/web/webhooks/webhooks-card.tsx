import { webhookWords as words } from "#features/companies/web/webhooks/words.ts";
import { FoldedCard } from "#web/kit/folded-card.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";

const Webhooks = lazyPart(
  async () => (await import("#features/companies/web/webhooks/webhooks.tsx")).Webhooks,
);

/** Webhooks of the current company. */
export const WebhooksCard = () => (
  <FoldedCard words={words}>{(realmId) => <Webhooks realmId={realmId} />}</FoldedCard>
);

import { keyWords as words } from "#features/companies/web/api-keys/words.ts";
import { FoldedCard } from "#web/kit/folded-card.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";

const Keys = lazyPart(async () => (await import("#features/companies/web/api-keys/keys.tsx")).Keys);

/** API keys of the current company. */
export const KeysCard = () => (
  <FoldedCard words={words}>{(realmId) => <Keys realmId={realmId} />}</FoldedCard>
);

import { folderWords as words } from "#features/orders/web/folder-words.ts";
import { FoldedCard } from "#web/kit/folded-card.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";

const FolderSettings = lazyPart(
  async () => (await import("#features/orders/web/folder-settings.tsx")).FolderSettings,
);

/** The folder from which the current company's orders are fetched. */
export const FolderCard = () => (
  <FoldedCard words={words}>{(realmId) => <FolderSettings realmId={realmId} />}</FoldedCard>
);

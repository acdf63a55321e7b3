import { keyWords as words } from "#features/programs/web/api-keys/words.ts";
import { keysQuery } from "#features/programs/web/queries.ts";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { OpenRow } from "#web/kit/rows.tsx";
import { useQuery } from "@tanstack/react-query";

const Keys = lazyPart(async () => (await import("#features/programs/web/api-keys/keys.tsx")).Keys);

/** API keys of a company. */
export function KeysRow({ realmId }: { realmId: string }) {
  const { data } = useQuery(keysQuery(realmId));
  const inUse = data?.keys.filter((key) => key.revoked_at === null);
  return (
    <OpenRow {...words.row} state={inUse ? words.state(inUse.length) : null}>
      <Keys realmId={realmId} />
    </OpenRow>
  );
}

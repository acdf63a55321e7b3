import type { SessionCompany } from "#features/identity/contract.ts";
import { companyWords } from "#features/companies/web/words.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { realmStore } from "#web/kit/session/realm-store.ts";
import { useSession } from "#web/kit/session/session.ts";
import { useEffect } from "react";
import { useSearchParams } from "react-router";

/** The company a connection just came back with (`?connected={realm id}`); it becomes current once. */
export function useJustConnected(): SessionCompany | null {
  const { companies } = useSession();
  const announce = useAnnounce();
  const realmId = useSearchParams()[0].get("connected");
  const connected = companies.find(({ id }) => id === realmId) ?? null;
  const name = connected?.name ?? null;
  useEffect(() => {
    if (realmId === null || name === null) return;
    realmStore.set(realmId);
    announce(companyWords.settings.nowConnected(name));
  }, [realmId, name, announce]);
  return connected;
}

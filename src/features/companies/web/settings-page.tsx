import { ConnectedCompanies } from "#features/companies/web/connected-companies.tsx";
import type { SessionCompany } from "#features/identity/contract.ts";
import { companyWords } from "#features/companies/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { realmStore } from "#web/kit/session/realm-store.ts";
import { useSession } from "#web/kit/session/session.ts";
import { PageTitle } from "#web/kit/page-title.tsx";
import { SignInGate } from "#web/kit/sign-in-gate.tsx";
import { useEffect } from "react";
import { useSearchParams } from "react-router";

const words = companyWords.settings;

/** App Settings. */
export function SettingsPage() {
  const justConnected = useJustConnected();
  return (
    <>
      <PageTitle documentTitle={words.documentTitle}>{words.title(boot.product)}</PageTitle>
      <SignInGate>
        <ConnectedCompanies justConnected={justConnected} />
      </SignInGate>
    </>
  );
}

/** The company a connection just came back with (`?connected={realm id}`); it becomes current once. */
function useJustConnected(): SessionCompany | null {
  const { companies } = useSession();
  const announce = useAnnounce();
  const realmId = useSearchParams()[0].get("connected");
  const connected = companies.find(({ id }) => id === realmId) ?? null;
  const name = connected?.name ?? null;
  useEffect(() => {
    if (realmId === null || name === null) return;
    realmStore.set(realmId);
    announce(words.nowConnected(name));
  }, [realmId, name, announce]);
  return connected;
}

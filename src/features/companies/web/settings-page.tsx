import { ConnectedCompanies } from "#features/companies/web/connected-companies.tsx";
import { useJustConnected } from "#features/companies/web/use-just-connected.ts";
import { companyWords } from "#features/companies/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { PageTitle } from "#web/kit/page-title.tsx";
import { SignInGate } from "#web/kit/sign-in-gate.tsx";

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

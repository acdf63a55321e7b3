import { companyWords } from "#features/companies/web/words.ts";
import { PageTitle } from "#web/kit/page-title.tsx";
import { SignInGate } from "#web/kit/sign-in-gate.tsx";
import { TextLink } from "#web/kit/text-link.tsx";

const words = companyWords.disconnect;

/** Disconnecting a company. */
export function DisconnectPage() {
  return (
    <div style={{ maxWidth: "70ch" }}>
      <PageTitle>{words.title}</PageTitle>
      <SignInGate>
        <p>{words.text}</p>
        <p>{words.meanwhile}</p>
        <TextLink to="/settings/">{words.settings}</TextLink>
      </SignInGate>
    </div>
  );
}

import { callbackWords as words } from "#features/companies/carrier/web/words.ts";
import { Notice } from "#web/kit/notice.tsx";
import { PageTitle } from "#web/kit/page-head.tsx";
import { Sheet } from "#web/kit/card.tsx";
import { SignInGate } from "#web/kit/gates.tsx";
import { TextLink } from "#web/kit/text-link.tsx";

/** Page that UPS redirects the user to. */
export function CarrierCallbackPage() {
  return (
    <>
      <PageTitle>{words.title}</PageTitle>
      <SignInGate>
        <Sheet>
          <Notice tone="blue" title={words.notYet}>
            <p>{words.text}</p>
          </Notice>
          <TextLink to="/settings/">{words.settings}</TextLink>
        </Sheet>
      </SignInGate>
    </>
  );
}

import { completionWords as words } from "#features/billing/web/words.ts";
import { Notice } from "#web/kit/notice.tsx";
import { PageTitle } from "#web/kit/page-title.tsx";
import { Sheet } from "#web/kit/sheet.tsx";
import { SignInGate } from "#web/kit/sign-in-gate.tsx";
import { TextLink } from "#web/kit/text-link.tsx";

/** Where the payment form returns to. */
export function PaymentCompletionPage() {
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

import { labelWords as words } from "#features/labels/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { PageTitle } from "#web/kit/page-title.tsx";
import { Sheet } from "#web/kit/sheet.tsx";
import { SignInGate } from "#web/kit/sign-in-gate.tsx";

/** Shipping labels. */
export function LabelPage() {
  return (
    <>
      <PageTitle documentTitle={words.documentTitle}>{words.title(boot.product)}</PageTitle>
      <SignInGate>
        <Sheet>
          <p>{words.text}</p>
        </Sheet>
      </SignInGate>
    </>
  );
}

import { legalWords } from "#features/legal/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { PlainPage } from "#web/kit/plain-page.tsx";

const words = legalWords.license;

/** The license agreement. */
export function LicensePage() {
  return (
    <PlainPage title={words.title} paragraphs={words.paragraphs(boot.product)}>
      <p>{legalWords.version}</p>
    </PlainPage>
  );
}

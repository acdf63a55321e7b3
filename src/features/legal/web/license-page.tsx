import { LegalText } from "#features/legal/web/legal-text.tsx";
import { legalWords } from "#features/legal/web/words.ts";
import { boot } from "#web/kit/boot.ts";

const words = legalWords.license;

/** The license agreement. */
export function LicensePage() {
  return <LegalText title={words.title} sections={words.sections(boot.product)} />;
}

import { legalWords } from "#features/legal/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { PlainPage } from "#web/kit/plain-page.tsx";

const words = legalWords.contact;

/** How to reach the operator. */
export function ContactPage() {
  return <PlainPage title={words.title} paragraphs={words.paragraphs(boot.product)} />;
}

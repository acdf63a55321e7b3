import { adminWords } from "#features/admin/web/words.ts";
import { booksAddress } from "#web/kit/boot.ts";
import { SectionHead } from "#web/kit/card.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";

const words = adminWords.simulators;

/** The simulated vendors of the demo, on pages of their own. */
export function Simulators() {
  const books = booksAddress();
  return (
    <section aria-labelledby="simulators">
      <SectionHead id="simulators" title={adminWords.pages.simulators.title} />
      <p>{words.lead}</p>
      {books ? <PlainLink href={books}>{words.books}</PlainLink> : null}
    </section>
  );
}

import { type LegalSection, legalWords } from "#features/legal/web/words.ts";
import { frameWords } from "#web/frame/words.ts";
import { homeWords } from "#web/home/words.ts";
import { kitWords } from "#web/kit/words.ts";

/** Placeholder of the product's name, which is known only where the pages are served. */
const PRODUCT = "{{product}}";

/**
 * The page's content before, or without, its script: the complete legal texts, and the landing page's first panel.
 * Written at build; `src/web/public/plain.css` gives it the look the script's own page has, so nothing moves.
 * @returns HTML by path
 */
export function prerenderPages(): Record<string, string> {
  return {
    "/": page(home()),
    "/end-user-license-agreement": page(legal(legalWords.license)),
    "/privacy-policy": page(legal(legalWords.privacy)),
  };
}

/**
 * What is shown while the page's script has not started. Hidden until `src/web/public/before-script.js` finds that it
 * does not; unstyled, since the style may be what is missing.
 */
export function prerenderFailure(): string {
  const { title, text: reason, noScript } = kitWords.notStarted;
  return `<noscript>${text(noScript)}</noscript><div id="failed" role="alert" style="padding:16px;font-family:sans-serif" hidden><p><strong>${text(title)}</strong></p><p>${text(reason)}</p><p><a href="">${text(kitWords.fallback.reload)}</a></p></div>`;
}

function page(main: string): string {
  return `<link rel="stylesheet" href="/plain.css"><div class="plain"><header><a class="brand" href="/"><img src="/images/logo.svg" alt="" width="32" height="32"><span>${PRODUCT}</span></a></header><main>${main}</main><footer><nav aria-label="${frameWords.footer}"><a href="/end-user-license-agreement/">${frameWords.license}</a> <a href="/privacy-policy/">${frameWords.privacy}</a> <a href="/contact/">${frameWords.contact}</a></nav><p>${text(frameWords.trademarks(PRODUCT))}</p></footer></div>`;
}

function home(): string {
  const points = homeWords.points.map((point) => `<li>${text(point)}</li>`).join("");
  return `<section class="panel"><h1>${text(homeWords.title(PRODUCT))}</h1><ul>${points}</ul><a class="start" href="/app/">${homeWords.getStarted}</a></section>`;
}

type Legal = { title: string; sections: (product: string) => readonly LegalSection[] };

function legal({ title, sections }: Legal): string {
  const parts = sections(PRODUCT);
  const contents = parts.map(({ id, title: name }) => `<li><a href="#${id}">${text(name)}</a></li>`).join("");
  const body = parts.map(
    (part) =>
      `<section aria-labelledby="${part.id}"><h2 id="${part.id}">${text(part.title)}</h2>${part.text.map((paragraph) => `<p>${text(paragraph)}</p>`).join("")}</section>`,
  );
  return `<h1>${text(title)}</h1><article><p>${legalWords.version}</p><nav aria-label="${legalWords.contents}"><ol>${contents}</ol></nav>${body.join("")}</article>`;
}

function text(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

import { uploadWords } from "#features/invoices/web/words.ts";
import { companyWords } from "#features/companies/web/words.ts";
import { type LegalSection, legalWords } from "#features/legal/web/words.ts";
import { threadWords } from "#features/order-invoices/web/words.ts";
import { trackingWords } from "#features/tracking/web/words.ts";
import { frameWords } from "#web/frame/words.ts";
import { homeWords } from "#web/home/words.ts";
import { kitWords } from "#web/kit/words.ts";
import { labelPageWords } from "#web/labels/words.ts";

/** Placeholder of the product's name, which is only known where the pages are served. */
const PRODUCT = "{{product}}";
/** Placeholder of the price of paid services. */
const PRICE_NOTE = "{{price_note}}";
/** Placeholder of the company a user's page starts with, unless this browser remembers another. */
const COMPANY = "{{company}}";

/**
 * Prerenders the pages' content before, or without, script: the complete legal texts, and the landing page's
 * first panel. Runs at build time; `src/web/public/plain.css` gives it the look of the script's own page, so
 * that nothing moves.
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
 * Prerenders the heads of pages for signed-in users: the title, on Upload also the company, which
 * `src/web/public/before-script.js` hides if the page will start with another one, or there is none.
 * @returns HTML by path
 */
export function prerenderForUsers(): Record<string, string> {
  const heads = {
    "/app": `<h1 class="flush">${text(uploadWords.title(PRODUCT))}</h1>${companyLine()}`,
    "/contact": `${title(legalWords.contact.title)}<p>${text(legalWords.contact.intro)}</p>`,
    "/label": title(labelPageWords.title(PRODUCT)),
    "/orders": title(threadWords.title(PRODUCT)),
    "/settings": title(companyWords.settings.title(PRODUCT)),
    "/tracking": title(trackingWords.title(PRODUCT)),
  };
  return Object.fromEntries(
    Object.entries(heads).map(([path, head]) => [path, plain(`${demoNotice()}<main>${head}</main>`)]),
  );
}

const title = (words: string) => `<h1>${text(words)}</h1>`;

/** The company and its services; without the Tracking Service there is one. */
function companyLine(): string {
  const { connected, connectedTracking, manage } = uploadWords.connection;
  const beginning = connected(COMPANY).slice(0, -1);
  const more = connectedTracking(COMPANY).slice(beginning.length, -1);
  return `<p class="line" data-company="{{company_id}}" data-is-first="{{company_is_first}}" data-tracking="{{company_tracking}}"><i></i><span>${text(beginning)}<span class="tracking">${text(more)}</span>. <a href="/settings/">${text(manage)}</a></span></p>`;
}

/**
 * Prerenders the message for a page whose script did not start. Hidden until
 * `src/web/public/before-script.js` detects that; unstyled, because the stylesheet may be missing too.
 */
export function prerenderFailure(): string {
  const { title, text: reason, noScript } = kitWords.notStarted;
  return `<noscript>${text(noScript)}</noscript><div id="failed" role="alert" style="padding:16px;font-family:sans-serif" hidden><p><strong>${text(title)}</strong></p><p>${text(reason)}</p><p><a href="">${text(kitWords.fallback.reload)}</a></p></div>`;
}

function plain(content: string): string {
  return `<link rel="stylesheet" href="/plain.css"><div class="plain"><header><a class="brand" href="/"><img src="/images/logo.svg" alt="" width="28" height="28"><span>${PRODUCT}</span></a></header>${content}</div>`;
}

/** Prerenders the demo notice with its first words, to reserve its space; shown only in the demo. */
function demoNotice(): string {
  const { demo, openBooks, hide } = frameWords;
  return `<aside data-demo="{{demo}}"><p><span>${text(demo)}</span> <b>${text(openBooks)}</b></p><b>${text(hide)}</b></aside>`;
}

function page(main: string): string {
  return plain(
    `<main>${main}</main><footer><nav aria-label="${frameWords.footer}"><a href="/end-user-license-agreement/">${frameWords.license}</a> <a href="/privacy-policy/">${frameWords.privacy}</a> <a href="/contact/">${frameWords.contact}</a></nav><p>${text(frameWords.trademarks(PRODUCT))}</p></footer>`,
  );
}

/**
 * Prerenders the elements of `src/web/home/page.tsx` that every visitor sees, with space instead of icons.
 */
function home(): string {
  const { headline, lead, getStarted, free, does, points } = homeWords;
  const listed = points.map(
    ({ name, text: of }) => `<li><i></i><b>${text(name)}</b> <span>${text(of)}</span></li>`,
  );
  return `<div class="landing"><div class="hero"><div><h1><span class="product">${PRODUCT}<span class="unseen">:</span></span> ${text(headline)}</h1><p class="lead">${text(lead(PRODUCT))}</p><div class="acts"><a class="start" href="/app/">${getStarted}</a></div><p class="cap free">${text(free)} <span>${PRICE_NOTE}</span></p></div>${shot()}</div><section aria-label="${text(does(PRODUCT))}"><ul class="points">${listed.join("")}</ul></section></div>`;
}

function shot(): string {
  const { label, file, ready, total, question, heads, invoices, isOpen, isReady, sum } = homeWords.shot;
  const rows = invoices.map(({ number, customer, amount, open }) => {
    const state = open
      ? `<span class="chip"><i></i><span>${isOpen}</span></span>`
      : `<span class="ready"><i></i><span>${isReady}</span></span>`;
    return `<tr${open ? ' class="open"' : ""}><td class="number">${number}</td><td>${customer}</td><td class="amount">${amount}</td><td>${state}</td></tr>`;
  });
  return `<div class="shot" role="img" aria-label="${text(label)}"><div class="cap">${file}</div><div class="shot-head"><span><b>${ready}</b> <span class="sum">${total}</span></span><span class="chip"><i></i><span>${question}</span></span></div><table><thead><tr>${heads.map((head, index) => `<th${index === 2 ? ' class="amount"' : ""}>${head}</th>`).join("")}</tr></thead><tbody>${rows.join("")}<tr class="total"><td colspan="2">${sum}</td><td class="amount"><span class="double">${total}</span></td></tr></tbody></table></div>`;
}

type Legal = { title: string; sections: (product: string) => readonly LegalSection[] };

function legal({ title: heading, sections }: Legal): string {
  const parts = sections(PRODUCT);
  const contents = parts.map(({ id, title: name }) => `<li><a href="#${id}">${text(name)}</a></li>`).join("");
  const body = parts.map(
    (part) =>
      `<section aria-labelledby="${part.id}"><h2 id="${part.id}">${text(part.title)}</h2>${part.text.map((paragraph) => `<p>${text(paragraph)}</p>`).join("")}</section>`,
  );
  return `${title(heading)}<article><p>${legalWords.version}</p><nav aria-label="${legalWords.contents}"><ol>${contents}</ol></nav>${body.join("")}</article>`;
}

function text(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

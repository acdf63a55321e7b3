import { html, type Html } from "./html.ts";
import type { Reply } from "./http.ts";

type Page = {
  title: string;
  /** Name of the simulated vendor; also in the title, so that the page is not mistaken for a real one. */
  vendor: string;
  /** Address of its only style sheet. */
  styles: string;
  /** Additional elements of the head. */
  head?: Html | false;
  body: Html;
  /** Exceptions from a content security policy that allows nothing. */
  policy: string;
  status: number;
};

/** A complete page of a simulator, never cached, with a content security policy. */
export function documentReply({ title, vendor, styles, head = false, body, policy, status }: Page): Reply {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Simulated ${vendor}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${styles}" />
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // Without any referrer browsers would send "Origin: null" with the page's own forms, which then look foreign.
      "referrer-policy": "same-origin",
      "content-security-policy": `default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; ${policy}`,
    },
    body: document.markup,
  };
}

type VendorPage = {
  title: string;
  content: Html;
  status?: number;
  /** Origins to which a form of the page may redirect, besides our own. */
  formTarget?: string;
};

/** Creates complete pages of a vendor: one style sheet, no script, clearly marked as simulated. */
export const createPages =
  (vendor: string) =>
  ({ title, content, status = 200, formTarget }: VendorPage): Reply =>
    documentReply({
      title,
      vendor,
      styles: "/_assets/simulated.css",
      status,
      body: html`<header class="top">
          <a href="/" class="brand">Simulated ${vendor}</a>
          <span class="tag">not the real service</span>
        </header>
        ${content}`,
      policy: `frame-ancestors 'none'; form-action 'self'${formTarget ? ` ${formTarget}` : ""}`,
    });

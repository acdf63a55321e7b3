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

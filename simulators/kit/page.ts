import { html, type Html } from "./html.ts";
import type { Reply } from "./http.ts";

type Page = {
  title: string;
  /** Whose page it plays; also in the title, so that nobody takes it for the real one. */
  vendor: string;
  /** Address of its one style sheet. */
  styles: string;
  /** What else is in the head. */
  head?: Html | false;
  body: Html;
  /** What it may load and do, beside nothing. */
  policy: string;
  status: number;
};

/** A complete page of a simulator. It is kept by nobody, and what is not allowed in it is refused by the browser. */
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
      "referrer-policy": "no-referrer",
      "content-security-policy": `default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; ${policy}`,
    },
    body: document.markup,
  };
}

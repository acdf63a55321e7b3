import type { Reply } from "../kit/http.ts";
import { html, type Html } from "../kit/html.ts";

type Page = {
  title: string;
  content: Html;
  status?: number;
  /** Origins a form of the page may be sent on to, besides our own. */
  formTarget?: string;
};

/** A complete page of the simulator: one style sheet, no script, clearly marked as simulated. */
export function page({ title, content, status = 200, formTarget }: Page): Reply {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Simulated Intuit</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/_assets/simulated.css" />
      </head>
      <body>
        <header class="top">
          <a href="/" class="brand">Simulated Intuit</a>
          <span class="tag">not the real service</span>
        </header>
        ${content}
      </body>
    </html>`;
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-security-policy":
        `default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'; ` +
        `form-action 'self'${!formTarget ? "" : ` ${formTarget}`}`,
    },
    body: document.markup,
  };
}

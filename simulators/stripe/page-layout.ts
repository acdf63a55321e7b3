import type { Reply } from "../kit/http.ts";
import { html, type Html } from "../kit/html.ts";

type Page = { title: string; content: Html; status?: number; script?: string; isFramed?: boolean };

/** A complete page of the simulator, clearly marked as simulated. */
export function page({ title, content, status = 200, script, isFramed = false }: Page): Reply {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Simulated Stripe</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/_assets/${isFramed ? "frame" : "page"}.css" />
        ${script ? html`<script type="module" src="/_assets/${script}"></script>` : ""}
      </head>
      <body>
        ${
          isFramed
            ? ""
            : html`<header class="top">
                <span class="brand">Simulated Stripe</span>
                <span class="tag">Test mode, no money moves</span>
              </header>`
        }
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
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; " +
        `base-uri 'none'; form-action 'self'; frame-ancestors ${isFramed ? "*" : "'none'"}`,
    },
    body: document.markup,
  };
}

export const dollars = (cents: number): string =>
  (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });

export const day = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString("en-US", { dateStyle: "medium", timeZone: "UTC" });

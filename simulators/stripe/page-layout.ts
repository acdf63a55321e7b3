import type { Reply } from "../kit/http.ts";
import { html, type Html } from "../kit/html.ts";
import { documentReply } from "../kit/page.ts";

type Page = { title: string; content: Html; status?: number; script?: string; isFramed?: boolean };

/** A complete page of the simulator, clearly marked as simulated. */
export const page = ({ title, content, status = 200, script, isFramed = false }: Page): Reply =>
  documentReply({
    title,
    vendor: "Stripe",
    styles: `/_assets/${isFramed ? "frame" : "page"}.css`,
    head: script !== undefined && html`<script type="module" src="/_assets/${script}"></script>`,
    status,
    body: isFramed
      ? content
      : html`<header class="top">
            <span class="brand">Simulated Stripe</span>
            <span class="tag">Test mode, no money moves</span>
          </header>
          ${content}`,
    policy: `script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors ${isFramed ? "*" : "'none'"}`,
  });

export const dollars = (cents: number): string =>
  (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });

export const day = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString("en-US", { dateStyle: "medium", timeZone: "UTC" });

import type { Reply } from "../kit/http.ts";
import { html, type Html } from "../kit/html.ts";
import { documentReply } from "../kit/page.ts";

type Page = { title: string; content: Html; status?: number; formTarget?: string };

/** A complete page of the simulator, clearly marked as simulated. */
export const page = ({ title, content, status = 200, formTarget }: Page): Reply =>
  documentReply({
    title,
    vendor: "UPS",
    styles: "/_assets/simulated.css",
    status,
    body: html`<header class="top">
        <a href="/" class="brand">Simulated UPS</a>
        <span class="tag">not the real service</span>
      </header>
      ${content}`,
    policy: `frame-ancestors 'none'; form-action 'self'${formTarget === undefined ? "" : ` ${formTarget}`}`,
  });

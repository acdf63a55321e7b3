import { html, type Html } from "../kit/html.ts";
import type { Reply } from "../kit/http.ts";

/** A mail as the mailbox keeps it. */
export type Message = {
  id: string;
  to: string[];
  from: string;
  subject: string;
  text: string;
  html: string;
  at: string;
};

/** A mail with its place in the mailbox. */
export type KeptMessage = Message & { place: number };

const TIME = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });

/** Every mail that was sent, the newest first, as its plain version with links that can be clicked. */
export function mailboxContent(messages: readonly KeptMessage[]): Html {
  return html`<main>
    <h1>Mailbox</h1>
    <p class="lead">All mail of this demo ends here. None of it leaves this machine.</p>
    ${messages.length === 0 && html`<p class="soft">No mail was sent yet.</p>`}
    <ul class="plain">
      ${messages.map(
        ({ place, subject, from, to, text, html: styled, at }) =>
          html`<li>
            <article>
              <div class="row">
                <h2>${subject}</h2>
                <time datetime="${at}">${TIME.format(new Date(at))}</time>
              </div>
              <p class="soft">To ${to.join(", ")} · from ${from}</p>
              ${text
                .trim()
                .split(/\n{2,}/)
                .filter(Boolean)
                .map((paragraph) => html`<p>${linked(paragraph)}</p>`)}
              ${styled !== "" && html`<p><a href="/mail/${place}">As a mail program shows it</a></p>`}
            </article>
          </li>`,
      )}
    </ul>
  </main>`;
}

/** A mail's own HTML, apart from our page: it can run nothing, load nothing and send nothing. */
export const mailAsSent = ({ html: styled }: Message): Reply => ({
  status: 200,
  headers: {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "content-security-policy":
      "sandbox allow-popups allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  },
  body: styled,
});

const linked = (text: string): unknown[] =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));

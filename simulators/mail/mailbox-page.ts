import { html, type Html } from "../kit/html.ts";

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

const TIME = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });

/** Every mail that was sent, the newest first, as its plain version with links that can be clicked. */
export function mailboxContent(messages: readonly Message[]): Html {
  return html`<main>
    <h1>Mailbox</h1>
    <p class="lead">All mail of this demo ends here. None of it leaves this machine.</p>
    ${messages.length === 0 && html`<p class="soft">No mail was sent yet.</p>`}
    <ul class="plain">
      ${messages.map(
        ({ subject, from, to, text, at }) =>
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
                .map((paragraph) => html`<p>${linked(paragraph)}</p>`)}
            </article>
          </li>`,
      )}
    </ul>
  </main>`;
}

const linked = (text: string): unknown[] =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));

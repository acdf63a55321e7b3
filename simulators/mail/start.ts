import { once } from "node:events";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import PostalMime from "postal-mime";
import { json, type Reply, type WireRequest } from "../kit/http.ts";
import { type Html, html } from "../kit/html.ts";
import { machineTimer, type Timer } from "../kit/timer.ts";
import { openState } from "../kit/sqlite.ts";

const SCHEMA = {
  version: 1,
  tables: ["message"],
  sql: `CREATE TABLE IF NOT EXISTS message (id INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;`,
};
const MAX_BYTES = 1024 * 1024;

/**
 * Fault for the next mails: refused with an SMTP code, once sent or at their sender (530: a login is required), or stored
 * without an answer.
 */
export type MailFault = { code: number } | { senderCode: number } | { silent: true };

export type Mailbox = {
  port: number;
  messages(): KeptMessage[];
  /** Makes the next `count` mails fail this way. */
  fail(fault: MailFault, count: number): void;
  /** Serves the mailbox page and its control interface; undefined for other paths. */
  reply(request: WireRequest): Reply | undefined;
  close(): Promise<void>;
};

type Options = {
  /** 0 for any free port, on the loopback only. */
  port: number;
  timer?: Timer;
  /** Called with each connection. */
  onConnection?: (socket: Socket) => void;
  /** SQLite file; default in memory. */
  stateFile?: string;
  /** Wraps content in the simulators' page frame. */
  page(content: { title: string; content: Html; status?: number }): Reply;
};

/** Starts a mail server that stores every mail in one mailbox and forwards none. */
export async function startMailbox({
  port,
  timer = machineTimer,
  onConnection = () => undefined,
  stateFile,
  page,
}: Options): Promise<Mailbox> {
  const db = openState(stateFile ?? ":memory:", SCHEMA);
  const faults: MailFault[] = [];
  const messages = () =>
    db
      .prepare("SELECT id, doc FROM message ORDER BY id DESC LIMIT 200")
      .all()
      .map((row) => ({ place: Number(row["id"]), ...(JSON.parse(String(row["doc"])) as Message) }));
  const keep = async (raw: Buffer, to: string[]) => {
    const { messageId = "", from, subject = "", text = "", html = "" } = await PostalMime.parse(raw);
    const at = timer.now().toISOString();
    const message: Message = { id: messageId, to, from: from?.address ?? "", subject, text, html, at };
    db.prepare("INSERT INTO message (doc) VALUES (?)").run(JSON.stringify(message));
  };
  const { server, port: ownPort } = await listenForMail(
    port,
    {
      refuseSender: () => {
        const [fault] = faults;
        if (!fault || !("senderCode" in fault)) return null;
        faults.shift();
        return fault.senderCode;
      },
      receive: async (raw, to) => {
        const fault = faults.shift();
        if (fault && "code" in fault) return fault.code;
        await keep(raw, to);
        return fault ? "silent" : "kept";
      },
    },
    onConnection,
  );
  return {
    port: ownPort,
    messages,
    fail: (fault, count) => void faults.push(...Array.from({ length: count }, () => fault)),
    reply: ({ method, url }) => {
      if (url.pathname === "/_sim/mail") return json(200, { messages: messages() });
      if (url.pathname === "/_sim/mail/reset" && method === "POST") {
        db.exec("DELETE FROM message");
        return json(200, {});
      }
      const [isMail, place] = /^\/mail(?:\/(\d*))?$/.exec(url.pathname) ?? [];
      if (isMail === undefined) return undefined;
      const mail = messages().find((each) => String(each.place) === place);
      if (mail) return mailAsSent(mail);
      if (place) return page({ title: "Mailbox", content: mailboxContent([]), status: 404 });
      return page({ title: "Mailbox", content: mailboxContent(messages()) });
    },
    close: async () => {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      db.close();
    },
  };
}

type Decide = {
  /** Returns the SMTP code with which a sender is refused, or null. */
  refuseSender(): number | null;
  /** Decides about a mail: stored, refused with an SMTP code, or stored without an answer. */
  receive(raw: Buffer, to: string[]): Promise<"kept" | "silent" | number>;
};

const refusal = (responseCode: number) => Object.assign(new Error("Refused as asked."), { responseCode });

async function listenForMail(
  port: number,
  { refuseSender, receive }: Decide,
  onConnection: (socket: Socket) => void,
): Promise<{ server: SMTPServer; port: number }> {
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    size: MAX_BYTES,
    logger: false,
    disableReverseLookup: true,
    onMailFrom: (_sender, _session, done) => {
      const code = refuseSender();
      done(code === null ? undefined : refusal(code));
    },
    onData: (stream, session, done) => {
      // An error here is a bug of this program: it closes the connection, and the sender retries.
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      void buffer(stream)
        .then((raw) => receive(raw, recipients))
        .then(
          (outcome) => {
            if (outcome === "silent") return sockets.forEach((socket) => socket.destroy());
            return setImmediate(() => (outcome === "kept" ? done() : done(refusal(outcome))));
          },
          () => sockets.forEach((socket) => socket.destroy()),
        );
    },
  });
  server.on("error", () => undefined);
  const listening = server.listen(port, "localhost");
  listening.on("connection", (socket: Socket) => {
    sockets.add(socket);
    onConnection(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await once(listening, "listening");
  const address = listening.address();
  return { server, port: typeof address === "object" && address ? address.port : port };
}

/** A stored mail. */
export type Message = {
  id: string;
  to: string[];
  from: string;
  subject: string;
  text: string;
  html: string;
  at: string;
};

/** A mail with its position in the mailbox. */
export type KeptMessage = Message & { place: number };

const TIME = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });

/** Renders every mail, newest first, in its plain version with clickable links. */
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

/** Serves a mail's own HTML separately from our page: it can run nothing, load nothing and send nothing. */
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

import type { Transporter } from "nodemailer";

/** SMTP server and sender address of mail. */
export type MailSettings = { url: string; from: string };

export type OutgoingMail = { id: string; to: string; subject: string; text: string; html: string };

/**
 * `refused`: the server will never accept it. `not_sent`: certainly not delivered; a retry is harmless. `sender_refused`: nor is
 * any other mail, until the operator gives the server another login or sender. `in_doubt`: the connection ended when the server may already have received it.
 */
export type MailOutcome =
  | { kind: "accepted" }
  | { kind: "refused" | "not_sent" | "sender_refused" | "in_doubt"; cause: string };

export type Mailer = (mail: OutgoingMail) => Promise<MailOutcome>;

const CONNECT_MS = 10_000;
const SILENT_MS = 30_000;

/** Creates a mailer over SMTP. The library takes 30 MB and is loaded with the first mail. */
export function createMailer({ url, from }: MailSettings): Mailer {
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? "localhost";
  return async ({ id, to, ...content }) => {
    const commands: string[] = [];
    try {
      const server = await openServer(url, (command) => commands.push(command));
      // One recipient, as an object: a string could be a list.
      await server.sendMail({
        ...content,
        from,
        to: { name: "", address: to },
        messageId: `<${id}@${domain}>`,
        headers: { "Auto-Submitted": "auto-generated" },
      });
      return { kind: "accepted" };
    } catch (error) {
      return toOutcome(error, commands);
    }
  };
}

/** @param onCommand receives the lines of both sides, without the content of the mail */
async function openServer(url: string, onCommand: (line: string) => void): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const { hostname, protocol, searchParams } = new URL(url);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    // Passwords and customer names are sent encrypted or not at all.
    requireTLS: protocol === "smtp:" && !isLocal && searchParams.get("requireTLS") !== "false",
    ignoreTLS: isLocal && protocol === "smtp:",
    disableFileAccess: true,
    disableUrlAccess: true,
    transactionLog: true,
    logger: { debug: (_entry: object, line: string) => onCommand(line) },
  });
}

/**
 * Classifies a failed send. After the server was asked to accept the content, an ended connection proves
 * nothing: the library reports the same step for an unreachable server and for one that disconnected with the
 * mail.
 */
function toOutcome(error: unknown, commands: readonly string[]): MailOutcome {
  const { responseCode, command, code } = error as { responseCode?: number; command?: string; code?: string };
  const cause = [code, command, responseCode].filter(Boolean).join(" ") || "unknown";
  const isOfLogin = code === "EAUTH" || (responseCode !== undefined && LOGIN_CODES.has(responseCode));
  if (isOfLogin) return { kind: "sender_refused", cause };
  if (responseCode !== undefined && responseCode < 500) return { kind: "not_sent", cause };
  if (responseCode !== undefined)
    return { kind: OF_THE_MAIL.has(command ?? "") ? "refused" : "sender_refused", cause };
  return { kind: commands.includes("DATA") ? "in_doubt" : "not_sent", cause };
}

/** Answers of RFC 4954 about a login that is missing, wrong or too weak, whatever was asked. */
const LOGIN_CODES: ReadonlySet<number> = new Set([530, 534, 535, 538]);

/** Commands whose refusal concerns the recipient or the content; those before are about us. */
const OF_THE_MAIL: ReadonlySet<string> = new Set(["RCPT TO", "DATA"]);

/** An element with a text, or with others inside. */
export function element(
  name: string,
  content: string | readonly string[],
  attributes: Readonly<Record<string, string>> = {},
): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`);
  const inside = typeof content === "string" ? escape(content) : `\n${content.join("\n")}\n`;
  return `<${name}${given.join("")}>${inside}</${name}>`;
}

const ESCAPED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ESCAPED[character] ?? character);

/** YYYYMMDD of YYYY-MM-DD. */
export const plainDay = (day: string) => day.replaceAll("-", "");

/** Names of CommerceHub's batches and of a message in them. */
const BATCHES = { hubConfirm: "ConfirmMessageBatch", hubInvoice: "InvoiceMessageBatch" } as const;

/** Messages of one kind as a file. @param sender `partnerID` as an element */
export function writeBatch(kind: keyof typeof BATCHES, sender: string, messages: readonly string[]): Buffer {
  const count = element("messageCount", String(messages.length));
  const batch = element(BATCHES[kind], [sender, ...messages, count]);
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${batch}\n`);
}

/**
 * Several files of `writeBatch` as one.
 * @returns null if they have different kinds or senders, for which a file has no room
 */
export function joinBatches(files: readonly Buffer[]): Buffer | null {
  const read = files.map((file) => WRITTEN.exec(file.toString()));
  const [, sender, , kind] = read[0] ?? [];
  if (sender === undefined || (kind !== "hubConfirm" && kind !== "hubInvoice")) return null;
  if (read.some((match) => match?.[1] !== sender || match[3] !== kind)) return null;
  return writeBatch(
    kind,
    sender,
    read.map((match) => match?.[2] ?? ""),
  );
}

const WRITTEN = /(<partnerID [^<\n]*<\/partnerID>)\n(<(hub\w+)>[^]*<\/\3>)/;

/** A text field of ZPL. */
const FIELD = /\^FD([^^]*)\^FS/g;

/**
 * Reads the texts that a label prints, in their order: its consignee, for one.
 * @param bytes ZPL; pictures have no text
 * @returns null for a picture
 */
export function readLabelTexts(bytes: Uint8Array): string[] | null {
  const zpl = Buffer.from(bytes).toString("latin1");
  if (!/^\s*[\^~]/.test(zpl.slice(0, 16))) return null;
  return [...zpl.matchAll(FIELD)].map(([, text = ""]) => unescape(text).trim()).filter((text) => text !== "");
}

/** `^FH` allows any byte in hexadecimal after `_`. */
const unescape = (text: string): string =>
  text.replaceAll(/_([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

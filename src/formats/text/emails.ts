const ADDRESS = /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+\.[^\s@<>,;:"()]+$/;

/**
 * Writes a list of e-mail addresses as QuickBooks takes it, "a@b.com, c@d.com", each address once. Separators may be
 * commas, semicolons, line breaks, bars, " / " and spaces; "Name <a@b.com>" and "mailto:" are reduced to the address.
 * @returns the text unchanged when a part of it holds no address
 */
export function plainEmails(text: string): string {
  const addresses: string[] = [];
  let hasName = false;
  for (const part of text.replaceAll(/"[^"]*"/g, " ").split(/[,;|\n]|\s\/\s/)) {
    const inBrackets = /<\s*([^<>]*?)\s*>\s*$/.exec(part)?.[1];
    const words = (inBrackets ?? part)
      .replaceAll(/mailto:/gi, " ")
      .trim()
      .split(/\s+/);
    if (words[0] === "") continue;
    if (words.every((word) => ADDRESS.test(withoutQuery(word)))) {
      if (hasName && inBrackets === undefined) return text;
      hasName = false;
      addresses.push(...words.map(withoutQuery));
    } else if (inBrackets === undefined && !part.includes("@")) hasName = true;
    else return text;
  }
  if (hasName || addresses.length === 0) return text;
  const once = new Map(addresses.toReversed().map((address) => [address.toLowerCase(), address]));
  return [...once.values()].toReversed().join(", ");
}

/** Without the subject that a link may carry. */
const withoutQuery = (word: string): string => word.replace(/\?.*$/, "");

/** True for addresses separated as `plainEmails` writes them. */
export const isEmailList = (text: string): boolean =>
  text.split(/, ?/).every((address) => ADDRESS.test(address));

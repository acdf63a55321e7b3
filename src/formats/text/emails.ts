const ADDRESS = /^[^\s@<>,;:"()]+@([^\s@<>,;:"().]+\.)+[^\s@<>,;:"().]+$/;

/**
 * Converts a list of e-mail addresses to QuickBooks' format, "a@b.com, c@d.com", each address once.
 * Separators may be commas, semicolons, line breaks, bars, " / " and spaces; "Name <a@b.com>" and "mailto:"
 * are reduced to the address.
 * @returns the unchanged text if a part of it contains no address
 */
export function plainEmails(text: string): string {
  const addresses: string[] = [];
  let hasName = false;
  for (const part of text.replaceAll(/"[^"]*"/g, " ").split(/[,;|\n]|\s\/\s/)) {
    const inBrackets = /<([^<>]*)>$/.exec(part.trimEnd())?.[1]?.trim();
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

/** Removes the subject that a link may have. */
const withoutQuery = (word: string): string => word.replace(/\?.*$/s, "");

/** Whether a text is a list of addresses in the format of `plainEmails`. */
export const isEmailList = (text: string): boolean =>
  text.split(/, ?/).every((address) => ADDRESS.test(address));

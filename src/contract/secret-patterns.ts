/**
 * Secrets that a message, stack or property may quote: passwords in addresses, tokens, keys, client secrets. Each comes with
 * a substring that every match contains: most text contains none, and a substring search is many times faster than a pattern.
 *
 * The input is untrusted, so each pattern must run in linear time: a long part either begins at a boundary that it cannot
 * contain, or is a match as soon as it begins.
 */
const SECRET_PATTERNS: readonly [string, RegExp, string][] = [
  ["@", /\b(\w+:\/\/)[^\s/@]+@/g, "$1[secret]@"],
  ["", /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, "$1 [secret]"],
  // 32 bytes after the name of their key.
  ["=", /(\w:)[A-Za-z0-9+/]{43}=/g, "$1[secret]"],
  ["=", /\b(access_token|refresh_token|id_token|client_secret|code|password)=[^\s&"']+/gi, "$1=[secret]"],
  // Stripe's client secrets, API keys, and webhook secrets.
  ["_", /\b(\w+_secret|sk|rk|whsec)_\w+/g, "[secret]"],
  // A signed token: up to three parts in base64url, the first of which is JSON.
  ["eyJ", /\beyJ[\w-]+(\.[\w-]+){0,2}/g, "[secret]"],
];

/** Replaces secrets in a text. */
export const redactSecrets = (text: string): string =>
  SECRET_PATTERNS.reduce(
    (rest, [part, pattern, shown]) => (rest.includes(part) ? rest.replaceAll(pattern, shown) : rest),
    text,
  );

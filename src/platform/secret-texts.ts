/** Secrets that a message, stack or property may quote: passwords in addresses, tokens, keys, client secrets. */
const SECRET_TEXTS: readonly [RegExp, string][] = [
  [/(\w+:\/\/)[^\s/@]+@/g, "$1[secret]@"],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, "$1 [secret]"],
  [/\b[\w-]+:[A-Za-z0-9+/]{43}=/g, "[secret]"],
  [/\b(access_token|refresh_token|id_token|client_secret|code|password)=[^\s&"']+/gi, "$1=[secret]"],
  // Stripe's: of a payment, of an account, of webhooks.
  [/\b\w+_secret_\w+/g, "[secret]"],
  [/\b(sk|rk|whsec)_\w+/g, "[secret]"],
  // A signed token: three parts in base64url, the first of which is JSON.
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, "[secret]"],
];

/** Replaces secrets in a text. */
export const hideSecretTexts = (text: string): string =>
  SECRET_TEXTS.reduce((rest, [pattern, shown]) => rest.replaceAll(pattern, shown), text);

const AFTER_TOKEN_WORD = /(token(?:\s+\w+)?\s*[:=]\s*)\S+/gi;
const LOOKS_LIKE_TOKEN = /\b(?:eyJ[\w-]{8,}[\w.=-]*|RT1-[\w-]+|AB1[\w-]{20,})/g;

/**
 * Takes tokens out of a text that Intuit sent: the detail of a 401 quotes the access token in full.
 * @param secrets texts known to be secret, such as the token just used
 */
export function redact(text: string, secrets: readonly string[]): string {
  const withoutKnown = secrets
    .filter(Boolean)
    .reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);
  return withoutKnown.replace(AFTER_TOKEN_WORD, "$1[secret]").replace(LOOKS_LIKE_TOKEN, "[secret]");
}

import { pino, stdSerializers, type DestinationStream, type Logger } from "pino";

export type Log = Logger;

/** Names whose values are always secrets or customer data and never logged. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "access_token",
  "refresh_token",
  "id_token",
  "code",
  "client_secret",
]);
/** In an error, `code` identifies the failure. */
const CODE = "code";

/** Secrets that a message, stack or property may quote: passwords in addresses, tokens, sealing keys. */
const SECRET_TEXTS: readonly [RegExp, string][] = [
  [/(\w+:\/\/)[^\s/@]+@/g, "$1[secret]@"],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, "$1 [secret]"],
  [/\b[\w-]+:[A-Za-z0-9+/]{43}=/g, "[secret]"],
  [/\b(access_token|refresh_token|id_token|client_secret|code|password)=[^\s&"']+/gi, "$1=[secret]"],
];

/** Nothing we log is nested deeper; deeper values come from libraries and are cut off. */
const MAX_DEPTH = 6;

/**
 * Creates a structured log. @param level pino's level name, `silent` for none @param lines default standard
 * output
 */
export function createLog(level: string, lines: DestinationStream = pino.destination(1)): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: {
      err: (error: unknown) =>
        hideSecrets(
          error instanceof Error ? stdSerializers.errWithCause(error) : error,
          (name) => name !== CODE,
        ),
    },
    formatters: { log: hideInFields },
  };
  return pino(options, lines);
}

/** Errors are left to their serializer. */
const hideInFields = (fields: Record<string, unknown>): Record<string, unknown> => {
  const { err, ...others } = fields;
  const hidden = hideSecrets(others) as Record<string, unknown>;
  return "err" in fields ? { ...hidden, err } : hidden;
};

/** Removes secrets from the texts of a value and under their names. @param isSecret may let a name through */
function hideSecrets(value: unknown, isSecret: (name: string) => boolean = () => true, depth = 0): unknown {
  if (typeof value === "string")
    return SECRET_TEXTS.reduce((text, [pattern, shown]) => text.replaceAll(pattern, shown), value);
  if (Array.isArray(value)) return value.map((part) => hideSecrets(part, isSecret, depth + 1));
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (depth >= MAX_DEPTH) return "[deeper]";
  const entries = Object.entries(value).map(([name, part]) => [
    name,
    SECRET_NAMES.has(name) && isSecret(name) ? "[secret]" : hideSecrets(part, isSecret, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

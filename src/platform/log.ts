import { redactSecrets } from "#contract/secret-patterns.ts";
import { currentTrace } from "#platform/trace.ts";
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

/** Nothing we log is nested deeper; deeper values come from libraries and are cut off. */
const MAX_DEPTH = 6;
/** Nor longer; libraries quote what they were given. */
const MAX_TEXT = 20_000;
const MAX_ITEMS = 1_000;

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
    mixin: (_fields: object, _level: number, logger: Logger) => readTrace(logger),
  };
  return pino(options, lines);
}

/** The trace of the work that logs. A request's own log has its id already. */
function readTrace(logger: Logger): object {
  const trace = currentTrace();
  if (!trace) return {};
  const { traceId, run } = trace;
  const reqId = "reqId" in logger.bindings() ? undefined : trace.reqId;
  return { trace: traceId, ...(reqId && { reqId }), ...(run && { run }) };
}

/** Errors are left to their serializer. */
const hideInFields = (fields: Record<string, unknown>): Record<string, unknown> => {
  const { err, ...others } = fields;
  const hidden = hideSecrets(others) as Record<string, unknown>;
  return "err" in fields ? { ...hidden, err } : hidden;
};

/** Removes secrets from the texts of a value and under their names. @param isSecret may let a name through */
function hideSecrets(value: unknown, isSecret: (name: string) => boolean = () => true, depth = 0): unknown {
  if (typeof value === "string") return hideInText(value);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (depth >= MAX_DEPTH) return "[deeper]";
  if (Array.isArray(value))
    return value.slice(0, MAX_ITEMS).map((part) => hideSecrets(part, isSecret, depth + 1));
  const entries = Object.entries(value)
    .slice(0, MAX_ITEMS)
    .map(([name, part]) => [
      name,
      SECRET_NAMES.has(name) && isSecret(name) ? "[secret]" : hideSecrets(part, isSecret, depth + 1),
    ]);
  return Object.fromEntries(entries);
}

/** Cut before it is searched, and after, where a secret may begin whose end is missing. */
const hideInText = (text: string): string =>
  text.length <= MAX_TEXT ? redactSecrets(text) : `${redactSecrets(text.slice(0, MAX_TEXT))}…`;

import { pino, type Logger } from "pino";

export type Log = Logger;

/** Paths that could carry a secret or a customer's data; they never reach the log. */
const SECRET_PATHS = [
  "authorization",
  "cookie",
  "access_token",
  "refresh_token",
  "id_token",
  "code",
  "client_secret",
];

/** A structured log on standard output. @param level pino's level name, `silent` for none */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`, `*.*.${path}`]), censor: "[secret]" },
  });
}

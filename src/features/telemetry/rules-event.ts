import { createHash } from "node:crypto";
import * as z from "zod";
import { redactSecrets } from "#contract/secret-patterns.ts";

/**
 * Characters of a text that are searched for secrets and contents; nothing behind them is kept. Far more than is kept, so that
 * what is cut here is not a secret that began in the kept part.
 */
const SEARCHED = 8_000;

/** A quoted text of this length is content and not a name; in a text that was cut, also one whose end is missing. */
const LONG_QUOTES = /(["'`])(?:(?!\1)[^\n]){33,}\1/g;
const LONG_QUOTES_IN_CUT = /(["'`])(?:(?!\1)[^\n]){33,}(?:\1|$)/g;

/** Most texts are names, too short for one. */
const cutQuotes = (text: string, isCut: boolean) =>
  text.length < 35 ? text : text.replaceAll(isCut ? LONG_QUOTES_IN_CUT : LONG_QUOTES, "$1…$1");

/** PostgreSQL stores no NUL in JSON. */
const clean = (given: string) => redactSecrets(given.slice(0, SEARCHED).replaceAll("\0", ""));

/** Nor half a character, as a cut may leave at the end. */
const cut = (given: string, max: number) => given.slice(0, max).toWellFormed();

/** Texts of an event: without secrets, without quoted contents, and not longer than a screen shows. */
const text = (max: number) =>
  z
    .string()
    .transform((given) => cut(cutQuotes(clean(given), given.length > SEARCHED), max))
    .optional()
    .catch(undefined);

/** Addresses may have codes and names in their query. */
const path = z
  .string()
  .transform((given) => cut(clean(given).replace(/[?#].*$/s, ""), 300))
  .optional()
  .catch(undefined);

const number = z.number().finite().optional().catch(undefined);
const id = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const list = <Item extends z.ZodType>(item: Item, max: number) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.slice(-max).flatMap((value) => (item.safeParse(value).data as z.output<Item>) ?? []),
    );

const frame = z.object({
  filename: path,
  function: text(200),
  lineno: number,
  colno: number,
  in_app: z.boolean().optional().catch(undefined),
});

const exception = z.object({
  type: text(100),
  value: text(500),
  stacktrace: z
    .object({ frames: list(frame, 50) })
    .optional()
    .catch(undefined),
});

/**
 * The parts of an event that are kept; everything else is dropped, such as breadcrumbs, extra data, cookies,
 * headers, variables and lines of code, because they may quote what users typed and what documents contain. The user that a
 * page names is its claim.
 */
const reportedEvent = z.object({
  event_id: id(32),
  timestamp: number,
  platform: text(30),
  level: text(10),
  release: text(100),
  environment: text(30),
  transaction: path,
  tags: z
    .object({ branch: text(50), request_id: text(50), call: text(200), status: text(10), code: text(50) })
    .optional()
    .catch(undefined),
  contexts: z
    .object({
      trace: z
        .object({ trace_id: id(32), span_id: id(16) })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
  exception: z
    .object({ values: list(exception, 10) })
    .optional()
    .catch(undefined),
  message: text(500),
});

/** User of a page that reports, as its session says. */
export type ReportingUser = { username: string; email: string; name: string };

/** The user is the one of the session that reported it. */
export type ReportedEvent = z.output<typeof reportedEvent> & { user?: ReportingUser };

/** Reads the kept parts of an event. @returns null for one without an id */
export function scrubEvent(event: unknown): ReportedEvent | null {
  return reportedEvent.safeParse(event).data ?? null;
}

/** Names an event in a list: the last error of its chain, which is the one that was thrown. */
export function titleEvent({ exception, message }: ReportedEvent): string {
  const last = exception?.values.at(-1);
  return [last?.type, last?.value].filter(Boolean).join(": ") || message || "Unnamed error";
}

/**
 * Equal for events of one cause: the kind of error and the function that threw it, in any release. Failed calls are thrown by
 * one function, so their method, route and status belong to the cause.
 */
export function fingerprint(event: ReportedEvent): string {
  const last = event.exception?.values.at(-1);
  const thrower = last?.stacktrace?.frames.at(-1);
  const file = thrower?.filename?.replace(/^\w+:\/\/[^/]+/, "").replace(/-[\w-]{8}(?=\.js$)/, "");
  const { call, status } = event.tags ?? {};
  const thrown = thrower ? [last?.type, file, thrower.function] : [titleEvent(event)];
  const cause = call === undefined ? thrown : [...thrown, call, status];
  return createHash("sha256").update(JSON.stringify(cause)).digest("hex").slice(0, 16);
}

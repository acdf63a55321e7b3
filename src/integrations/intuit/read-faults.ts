import * as z from "zod";
import type { IntuitFault } from "#integrations/intuit/errors.ts";

const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => String(value ?? ""));

/** Accepts an object with lowercase property names: only a 401 has them, everything else is capitalized. */
const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess(
    (value) =>
      typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name.toLowerCase(), part]))
        : value,
    z.object(shape),
  );

const entry = object({ code: text, message: text, detail: text, element: text });
const answer = object({ fault: object({ type: text, error: z.array(entry) }) });

/**
 * Finds the faults in a parsed answer. A fault without any code is not Intuit's.
 * @param secrets texts to remove from details
 * @returns null if the answer is not a fault
 */
export function readJsonFaults(body: unknown, secrets: readonly string[]): IntuitFault[] | null {
  const { data } = answer.safeParse(body);
  return data ? ownFaults(data.fault.error, { type: data.fault.type, secrets }) : null;
}

/**
 * Finds the faults of an XML answer: Intuit throttles in XML even if JSON was requested. Null if there is
 * none.
 */
export function readXmlFaults(body: string, secrets: readonly string[]): IntuitFault[] | null {
  const type = attribute(/<(?:\w+:)?Fault\b([^<>]*)>/.exec(body)?.[1] ?? "", "type");
  const errors = [...body.matchAll(/<(?:\w+:)?Error\b([^<>]*)>([\s\S]*?)<\/(?:\w+:)?Error>/g)];
  const read = errors.map(([, attributes = "", inside = ""]) => ({
    code: attribute(attributes, "code"),
    element: attribute(attributes, "element"),
    message: element(inside, "Message"),
    detail: element(inside, "Detail"),
  }));
  return ownFaults(read, { type, secrets });
}

function ownFaults(
  errors: readonly Omit<IntuitFault, "type">[],
  { type, secrets }: { type: string; secrets: readonly string[] },
): IntuitFault[] | null {
  const own = errors.filter(({ code }) => code !== "");
  if (own.length === 0) return null;
  return own.map(({ code, message, detail, element: property }) => ({
    code,
    element: property,
    message: redact(message, secrets),
    detail: redact(detail, secrets),
    type,
  }));
}

const attribute = (text: string, name: string) =>
  unescapeXml(new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? "");

const element = (text: string, name: string) =>
  unescapeXml(new RegExp(`<(?:\\w+:)?${name}>([\\s\\S]*?)</(?:\\w+:)?${name}>`).exec(text)?.[1] ?? "");

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

const unescapeXml = (text: string) =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? "");

const AFTER_TOKEN_WORD = /(token(?:\s+\w+)?\s*[:=]\s*)\S+/gi;
const LOOKS_LIKE_TOKEN = /\b(?:eyJ[\w-]{8,}[\w.=-]*|RT1-[\w-]+|AB1[\w-]{20,})/g;

/**
 * Removes tokens from Intuit's text: the detail of a 401 quotes the full access token.
 * @param secrets texts known to be secret, such as the token just used
 */
export function redact(text: string, secrets: readonly string[]): string {
  const withoutKnown = secrets
    .filter(Boolean)
    .reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);
  return withoutKnown.replace(AFTER_TOKEN_WORD, "$1[secret]").replace(LOOKS_LIKE_TOKEN, "[secret]");
}

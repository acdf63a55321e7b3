import * as z from "zod";
import type { IntuitFault } from "#integrations/intuit/errors.ts";
import { redact } from "#integrations/intuit/redact.ts";

const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? "" : String(value)));

const capitalFault = z.object({
  Fault: z.object({
    type: text,
    Error: z.array(z.object({ Message: text, Detail: text, code: text, element: text })),
  }),
});

/** A 401 comes with lower-case names. */
const smallFault = z.object({
  fault: z.object({
    type: text,
    error: z.array(z.object({ message: text, detail: text, code: text, element: text })),
  }),
});

/**
 * Finds the faults in a parsed answer, in either of Intuit's two shapes. One without any code is not Intuit's.
 * @param secrets texts that must not stay in a detail
 * @returns null when the answer is not a fault
 */
export function readJsonFaults(body: unknown, secrets: readonly string[]): IntuitFault[] | null {
  const capital = capitalFault.safeParse(body);
  if (capital.success) {
    const { type, Error: errors } = capital.data.Fault;
    return ownFaults(
      errors.map(({ code, Message, Detail, element: named }) => ({
        code,
        message: Message,
        detail: Detail,
        element: named,
        type,
      })),
      secrets,
    );
  }
  const small = smallFault.safeParse(body);
  if (!small.success) return null;
  const { type, error: errors } = small.data.fault;
  return ownFaults(
    errors.map((error) => ({ ...error, type })),
    secrets,
  );
}

/** Finds the faults of an XML answer: Intuit throttles in XML though JSON was asked for. Null when there is none. */
export function readXmlFaults(body: string, secrets: readonly string[]): IntuitFault[] | null {
  const type = attribute(/<(?:\w+:)?Fault\b([^>]*)>/.exec(body)?.[1] ?? "", "type");
  const errors = [...body.matchAll(/<(?:\w+:)?Error\b([^>]*)>([\s\S]*?)<\/(?:\w+:)?Error>/g)];
  const read = errors.map(([, attributes = "", inside = ""]) => ({
    code: attribute(attributes, "code"),
    message: element(inside, "Message"),
    detail: element(inside, "Detail"),
    element: attribute(attributes, "element"),
    type,
  }));
  return ownFaults(read, secrets);
}

type RawFault = { code: string; message: string; detail: string; element: string; type: string };

function ownFaults(errors: readonly RawFault[], secrets: readonly string[]): IntuitFault[] | null {
  const own = errors.filter(({ code }) => code !== "");
  return own.length === 0 ? null : own.map((error) => toFault(error, secrets));
}

function toFault(raw: RawFault, secrets: readonly string[]): IntuitFault {
  return {
    code: raw.code,
    message: redact(raw.message, secrets),
    detail: redact(raw.detail, secrets),
    element: raw.element || null,
    type: raw.type,
  };
}

const attribute = (text: string, name: string) =>
  unescapeXml(new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? "");

const element = (text: string, name: string) =>
  unescapeXml(new RegExp(`<(?:\\w+:)?${name}>([\\s\\S]*?)</(?:\\w+:)?${name}>`).exec(text)?.[1] ?? "");

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

const unescapeXml = (text: string) =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? "");

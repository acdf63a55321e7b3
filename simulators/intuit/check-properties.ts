import { toDecimal } from "../kit/decimal.ts";
import { fault, type ApiFault } from "./api-fault.ts";
import { KNOWN_PROPERTIES } from "./known-properties.ts";

type Fields = Record<string, unknown>;

/**
 * Refuses faults that Intuit refuses before any business rule: unknown properties (2010), bad ids (2030),
 * characters a US company cannot store (2040), lengths (2050), dates (2060), numbers (2090), choices (2170),
 * e-mail addresses (2210).
 * @throws ApiFault with the first kind of fault found
 */
export function checkProperties(type: string, body: Fields, options: { latin1Only: boolean }): void {
  checkKnown(type, body, type);
  checkValues(type, body, options);
}

function checkKnown(type: string, body: Fields, chain: string): void {
  const known = KNOWN_PROPERTIES.get(type);
  if (!known) return;
  for (const [name, value] of Object.entries(body)) {
    const property = known.get(name);
    if (!property) throw unknownProperty(type, name, `${chain}["${name}"]`);
    for (const nested of nestedObjects(value))
      if (property.type) checkKnown(property.type, nested, `${chain}["${name}"]`);
  }
}

function unknownProperty(type: string, name: string, chain: string): ApiFault {
  const known = [...(KNOWN_PROPERTIES.get(type)?.keys() ?? [])];
  return fault(
    "2010",
    `Property Name:Unrecognized field "${name}" (Class com.intuit.schema.finance.v3.${type}), not marked as ignorable ` +
      `(${known.length} known properties: ${known.map((property) => `"${property}"`).join(", ")})\n at [line: 1, column: 1] ` +
      `(through reference chain: ${chain}) specified is unsupported or invalid`,
  );
}

function checkValues(type: string, body: Fields, options: { latin1Only: boolean }): void {
  const known = KNOWN_PROPERTIES.get(type);
  for (const [name, value] of Object.entries(body)) {
    if (value === null || value === "") continue;
    if (options.latin1Only) checkCharacters(name, value);
    const { rule, type: nestedType } = known?.get(name) ?? {};
    if (rule !== undefined) checkRule(name, value, rule);
    if (nestedType === undefined) continue;
    for (const nested of nestedObjects(value)) checkValues(nestedType, nested, options);
  }
}

function checkCharacters(name: string, value: unknown): void {
  if (typeof value !== "string" || !/[^\u0000-\u00ff]/.test(value)) return;
  throw fault(
    "2040",
    `Invalid String. The string contains unsupported characters. Property Name:${name}`,
    name,
  );
}

function checkRule(name: string, value: unknown, rule: string): void {
  if (/^\d+$/.test(rule)) return checkLength(name, value, Number(rule));
  const text = String(value);
  if (rule === "id" || rule === "token") {
    if (!/^-?\d+$/.test(text))
      throw fault("2030", `${name} should be a valid number. Supplied value:${text}`, name);
  } else if (rule === "date") {
    if (!isDate(text))
      throw fault(
        "2060",
        `Date format is invalid. Supplied value:${text}. Expected format: YYYY-MM-DD`,
        name,
      );
  } else if (rule === "number") {
    if (!toDecimal(value))
      throw fault("2090", `${name} should be a valid number. Supplied value:${text}`, name);
  } else if (rule === "email") {
    checkEmail(name, text);
  } else if (!rule.split("|").includes(text)) {
    throw fault(
      "2170",
      `Property Name:${name}, value ${text} is not one of: ${rule.replaceAll("|", ", ")}`,
      name,
    );
  }
}

function checkLength(name: string, value: unknown, max: number): void {
  const { length } = String(value);
  if (length <= max) return;
  throw fault(
    "2050",
    `String length specified does not match the supported length. Min:0 Max:${max} supported. Supplied length:${length}`,
    name,
  );
}

function checkEmail(name: string, text: string): void {
  checkLength(name, text, 100);
  const good = text.split(",").every((address) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address.trim()));
  if (!good) throw fault("2210", "Email Address does not conform to the RFC 822 standard.", name);
}

/** Whether the text starts with an existing date, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:$|[T+-])/.exec(text);
  if (!match) return false;
  const day = new Date(`${match[1]}-${match[2]}-${match[3]}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(match[0].slice(0, 10));
}

function nestedObjects(value: unknown): Fields[] {
  const candidates: unknown[] = Array.isArray(value) ? value : [value];
  return candidates.filter(
    (candidate): candidate is Fields =>
      typeof candidate === "object" && candidate !== null && !Array.isArray(candidate),
  );
}

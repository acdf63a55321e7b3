import { invalid } from "./api-error.ts";

/** A form as a tree: `a[b][0]=c` is `{ a: { b: { 0: "c" } } }`. */
export type Form = { [name: string]: string | Form };

/** Parses a form from a body or a query. */
export function parseForm(fields: URLSearchParams): Form {
  const form: Form = {};
  for (const [name, value] of fields) put(form, splitName(name), value);
  return form;
}

function splitName(name: string): string[] {
  const [head = "", ...rest] = name.split("[");
  return [head, ...rest.map((part) => part.replace(/\]$/, ""))];
}

const UNSAFE = new Set(["__proto__", "constructor", "prototype"]);

function put(form: Form, path: readonly string[], value: string): void {
  let at = form;
  path.forEach((part, depth) => {
    const name = part === "" ? nextName(at, path[depth + 1]) : part;
    if (UNSAFE.has(name)) throw invalid(`Received unknown parameter: ${name}`, { param: name });
    if (depth === path.length - 1) at[name] = value;
    else {
      const next = at[name];
      at[name] = typeof next === "object" ? next : {};
      at = at[name];
    }
  });
}

/**
 * Index of the next entry of `a[]`: a new one, except that `a[][c]` after `a[][b]` belongs to the same entry.
 */
function nextName(list: Form, below: string | undefined): string {
  const count = Object.keys(list).length;
  const last = list[String(count - 1)];
  const isOfLast = below !== undefined && typeof last === "object" && !(below in last);
  return String(isOfLast ? count - 1 : count);
}

/** Reads the text of a field; undefined if absent, empty to clear it. */
export function text(form: Form, name: string): string | undefined {
  const value = form[name];
  if (typeof value === "object") throw invalid(`Invalid string: ${JSON.stringify(value)}`, { param: name });
  return value;
}

export function required(form: Form, name: string): string {
  const value = text(form, name);
  if (value === undefined || value === "")
    throw invalid(`Missing required param: ${name}.`, { param: name, code: "parameter_missing" });
  return value;
}

export function integer(form: Form, name: string): number | undefined {
  const value = text(form, name);
  if (value === undefined || value === "") return undefined;
  if (!/^-?\d+$/.test(value))
    throw invalid(`Invalid integer: ${value}`, { param: name, code: "parameter_invalid_integer" });
  return Number(value);
}

export function flag(form: Form, name: string): boolean | undefined {
  // Some clients write booleans in their own language's spelling.
  const value = text(form, name)?.toLowerCase();
  if (value === undefined || value === "") return undefined;
  if (value !== "true" && value !== "false") throw invalid(`Invalid boolean: ${value}`, { param: name });
  return value === "true";
}

export function choice<const T extends string>(form: Form, name: string, known: readonly T[]): T | undefined {
  const value = text(form, name);
  if (value === undefined || value === "") return undefined;
  const found = known.find((each) => each === value);
  if (!found) throw invalid(`Invalid ${name}: must be one of ${known.join(", ")}`, { param: name });
  return found;
}

/** Reads the group of fields below a name; empty if there is none. */
export function group(form: Form, name: string): Form {
  const value = form[name];
  return typeof value === "object" ? value : {};
}

/** Reads the entries of a list, in order. */
export const entries = (form: Form, name: string): (string | Form)[] => Object.values(group(form, name));

export const texts = (form: Form, name: string): string[] =>
  entries(form, name).filter((entry) => typeof entry === "string");

export const groups = (form: Form, name: string): Form[] =>
  entries(form, name).filter((entry) => typeof entry === "object");

const MAX_METADATA = { keys: 50, key: 40, value: 500 };

/**
 * Applies a change to metadata: an empty value removes a key; an empty text in place of the group removes
 * all.
 * @throws StripeFault 400 for too many keys, and for a key or value that is too long
 */
export function changedMetadata(known: Record<string, string> | null, form: Form): Record<string, string> {
  if (form["metadata"] === "") return {};
  const next = { ...known };
  for (const [key, value] of Object.entries(group(form, "metadata"))) {
    if (typeof value !== "string") continue;
    if (key.length > MAX_METADATA.key)
      throw invalid(
        `Metadata keys can have up to ${MAX_METADATA.key} characters, but you passed in a key that is ${key.length} characters. Invalid key: ${key}`,
        { param: "metadata" },
      );
    if (value.length > MAX_METADATA.value)
      throw invalid(
        `Metadata values can have up to ${MAX_METADATA.value} characters, but you passed in a value that is ${value.length} characters. Invalid value: ${value}`,
        { param: "metadata" },
      );
    if (value === "") delete next[key];
    else next[key] = value;
  }
  const count = Object.keys(next).length;
  if (count > MAX_METADATA.keys)
    throw invalid(
      `Metadata can have up to ${MAX_METADATA.keys} keys, but you've set ${count}. Email us at support+metadata@stripe.com for more information.`,
      { param: "metadata" },
    );
  return next;
}

const EMAIL = /^[^\s@,;<>()"[\]\\]+@(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,}$/u;

/**
 * Reads an e-mail address; undefined if absent, empty to clear it. @throws StripeFault 400 for an invalid one
 */
export function email(form: Form, name: string): string | undefined {
  const value = text(form, name);
  if (value && !EMAIL.test(value))
    throw invalid(`Invalid email address: ${value}`, { param: name, code: "email_invalid" });
  return value;
}

/** @throws StripeFault for an unknown field */
export function refuseUnknown(form: Form, known: readonly string[]): void {
  const unknown = Object.keys(form).find((name) => !known.includes(name) && name !== "expand");
  if (unknown !== undefined)
    throw invalid(`Received unknown parameter: ${unknown}`, { param: unknown, code: "parameter_unknown" });
}

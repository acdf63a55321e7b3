import type * as z from "zod";
import { badRequest, type AppError } from "#platform/errors.ts";

/** Part of a request described by a contract. */
export type Place = "path" | "query" | "body";

/**
 * Builds one error with a plain sentence for each fault of a parsed request. The library's own texts are for
 * programmers.
 * @param error of a parse with `reportInput`
 */
export function refuseShape(place: Place, error: z.ZodError): AppError {
  return badRequest("invalid_request", error.issues.map((issue) => describeFault(place, issue)).join("\n"));
}

function describeFault(place: Place, issue: z.core.$ZodIssue): string {
  // The contract's own sentence.
  if (issue.code === "custom" && /^[A-Z].*\.$/.test(issue.message)) return issue.message;
  const subject = nameSubject(place, issue.path);
  const isMissing = issue.code === "invalid_type" && issue.input === undefined;
  return isMissing ? `${subject} is missing.` : `${subject} ${describeRequirement(issue)}.`;
}

/** Names a place as a person does: `cartons.0.length` is "the field "length" of carton 1". */
function nameSubject(place: Place, path: readonly PropertyKey[]): string {
  const last = path.at(-1);
  const kind = place === "body" ? "field" : `${place} parameter`;
  if (last === undefined) return `The ${place}`;
  if (typeof last !== "number")
    return [`The ${kind} "${String(last)}"`, ...nameOwners(path.slice(0, -1))].join(" of ");
  const list = path.at(-2);
  if (list === undefined) return `Entry ${last + 1} of the ${place}`;
  return [`Entry ${last + 1}`, `the ${kind} "${String(list)}"`, ...nameOwners(path.slice(0, -2))].join(
    " of ",
  );
}

/** Names what a field is in, the innermost first. */
function nameOwners(path: readonly PropertyKey[]): string[] {
  return path
    .flatMap((part, at) => {
      if (typeof part === "number") return typeof path[at - 1] === "string" ? [] : [`entry ${part + 1}`];
      const next = path[at + 1];
      return typeof next === "number" ? [`${toSingular(String(part))} ${next + 1}`] : [`"${String(part)}"`];
    })
    .toReversed();
}

const toSingular = (name: string): string =>
  name
    .replaceAll("_", " ")
    .replace(/ies$/, "y")
    .replace(/(ss)es$/, "$1")
    .replace(/([^s])s$/, "$1");

/** Describes the required value, as the end of a sentence. */
function describeRequirement(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values
        .map(String)
        .join(", ")
        .replace(/, ([^,]*)$/, " or $1")}`;
    case "too_small":
      return issue.origin === "string" && issue.minimum === 1
        ? "must not be empty"
        : atLeast(issue.origin, issue.minimum, issue.inclusive);
    case "too_big":
      return atMost(issue.origin, issue.maximum, issue.inclusive);
    case "invalid_format":
      // The contract describes its own patterns.
      if (issue.format === "regex") return issue.message;
      return `must be ${FORMAT_WORDS[issue.format] ?? `written as ${issue.format}`}`;
    case "custom":
      // Without a message of the contract, the library's own.
      return issue.message === "Invalid input" ? "can't be used as it is" : issue.message;
    case "unrecognized_keys":
      return `has unknown fields: ${listNames(issue.keys)}`;
    default:
      return "can't be used as it is";
  }
}

/** Names that an error lists, and characters of each: a body may have 52,000. */
const [LISTED, LISTED_LENGTH] = [5, 60];

function listNames(names: readonly string[]): string {
  const listed = names
    .slice(0, LISTED)
    .map((name) => (name.length > LISTED_LENGTH ? `${name.slice(0, LISTED_LENGTH).toWellFormed()}…` : name))
    .join(", ");
  const more = names.length - LISTED;
  return more > 0 ? `${listed} and ${more.toLocaleString("en-US")} more` : listed;
}

const UNITS: Record<string, string> = { string: "characters", array: "entries" };

function atLeast(origin: string, bound: number | bigint, isInclusive = true): string {
  const unit = UNITS[origin];
  if (unit) return `must have at least ${bound} ${unit}`;
  return isInclusive ? `must be at least ${bound}` : `must be more than ${bound}`;
}

function atMost(origin: string, bound: number | bigint, isInclusive = true): string {
  const unit = UNITS[origin];
  if (unit) return `must have at most ${bound} ${unit}`;
  return isInclusive ? `must be at most ${bound}` : `must be less than ${bound}`;
}

const TYPE_WORDS: Record<string, string> = {
  string: "a single text value",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

const FORMAT_WORDS: Record<string, string> = {
  uuid: "an id",
  email: "an email address",
  url: "an address",
  datetime: "a date and time",
  date: "a date",
};

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
  const name = issue.path.join(".");
  const subject = name
    ? `${place === "body" ? "The field" : `The ${place} parameter`} "${name}"`
    : `The ${place}`;
  const isMissing = issue.code === "invalid_type" && issue.input === undefined;
  return isMissing ? `${subject} is missing.` : `${subject} ${describeRequirement(issue)}.`;
}

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
        : `must have at least ${boundOf(issue.origin, issue.minimum)}`;
    case "too_big":
      return `must have at most ${boundOf(issue.origin, issue.maximum)}`;
    case "invalid_format":
      // The contract describes its own patterns.
      if (issue.format === "regex") return issue.message;
      return `must be ${FORMAT_WORDS[issue.format] ?? `written as ${issue.format}`}`;
    case "custom":
      // Without a message of the contract, the library's own.
      return issue.message === "Invalid input" ? "can't be used as it is" : issue.message;
    case "unrecognized_keys":
      return `has parts that aren't known here: ${issue.keys.join(", ")}`;
    default:
      return "can't be used as it is";
  }
}

const boundOf = (origin: string, bound: number | bigint) =>
  ({ string: `${bound} characters`, array: `${bound} entries` })[origin] ?? `the value ${bound}`;

const TYPE_WORDS: Record<string, string> = {
  string: "one text",
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

import { NUMBER_TYPES, type FieldRule, type SheetKind } from "#formats/table/define-sheet.ts";
import { headerKey } from "#formats/table/header-text.ts";

/** `samples`: the column's first values as text. */
type Seen = { header?: string; field: string | null; samples: readonly string[] };

/** Headers of durations that are not in hours; a rate is never per minute. */
const DURATION_HEADERS = /minute|^mins?$|second|duration/;

/**
 * Guesses a missing required field for each unknown column by its values. Guesses only when exactly one unknown column
 * fits; the user sees the guess and can change it.
 */
export function guessFields(kind: SheetKind, columns: readonly Seen[]): (string | null)[] {
  const known = new Set(columns.map(({ field }) => field));
  const guesses: (string | null)[] = columns.map(() => null);
  for (const field of missingFields(kind, known)) {
    const rule: FieldRule | undefined = kind.fields[field];
    const alike = columns.flatMap(({ header = "", field: meaning, samples }, index) =>
      meaning === null &&
      guesses[index] === null &&
      !DURATION_HEADERS.test(headerKey(header)) &&
      looksLike(rule?.type, samples)
        ? [index]
        : [],
    );
    const [only] = alike;
    if (only !== undefined && alike.length === 1) guesses[only] = field;
  }
  return guesses;
}

/** Required fields without a column. When some of a field's substitutes are present, the missing substitutes instead. */
function missingFields(kind: SheetKind, known: ReadonlySet<string | null>): string[] {
  return kind.names.flatMap((field) => {
    const required = kind.fields[field]?.required;
    if (!required || known.has(field)) return [];
    if (required === true) return [field];
    const missing = required.unless.filter((standIn) => !known.has(standIn));
    return missing.length === required.unless.length ? [field] : missing;
  });
}

function looksLike(type: FieldRule["type"] = "text", samples: readonly string[]): boolean {
  const filled = samples.map((sample) => sample.trim()).filter((sample) => sample !== "");
  if (filled.length === 0) return false;
  if (type === "date") return filled.every((sample) => DATE.test(sample));
  if (NUMBER_TYPES.has(type)) return filled.every((sample) => NUMBER.test(sample));
  return !filled.some((sample) => DATE.test(sample) || NUMBER.test(sample));
}

const DATE = /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/;

const NUMBER = /^-?\$?-?\d[\d,]*(\.\d+)?$/;

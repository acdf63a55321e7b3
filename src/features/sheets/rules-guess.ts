import type { FieldRule, SheetKind } from "#formats/table/define-sheet.ts";

/** `samples`: its first values as texts. */
type Seen = { field: string | null; samples: readonly string[] };

/**
 * Of each column that nobody knows, the required field that its values look like. One is guessed only where no other such
 * column looks like it: who is asked sees the guess and may change it.
 */
export function guessFields(kind: SheetKind, columns: readonly Seen[]): (string | null)[] {
  const known = new Set(columns.map(({ field }) => field));
  const guesses: (string | null)[] = columns.map(() => null);
  for (const field of missingFields(kind, known)) {
    const rule: FieldRule | undefined = kind.fields[field];
    const alike = columns.flatMap(({ field: meaning, samples }, index) =>
      meaning === null && guesses[index] === null && looksLike(rule?.type, samples) ? [index] : [],
    );
    const [only] = alike;
    if (only !== undefined && alike.length === 1) guesses[only] = field;
  }
  return guesses;
}

/** Required fields without a column; in place of one whose stand-ins are there in part, the other stand-ins. */
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
  if (type === "money" || type === "decimal") return filled.every((sample) => NUMBER.test(sample));
  return !filled.some((sample) => DATE.test(sample) || NUMBER.test(sample));
}

const DATE = /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/;

const NUMBER = /^-?\$?-?\d[\d,]*(\.\d+)?$/;

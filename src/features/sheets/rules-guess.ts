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
  for (const field of kind.names) {
    const rule: FieldRule | undefined = kind.fields[field];
    if (!rule || known.has(field) || !isMissing(rule, known)) continue;
    const alike = columns.flatMap(({ field: meaning, samples }, index) =>
      meaning === null && guesses[index] === null && looksLike(rule, samples) ? [index] : [],
    );
    const [only] = alike;
    if (only !== undefined && alike.length === 1) guesses[only] = field;
  }
  return guesses;
}

function isMissing({ required }: FieldRule, known: ReadonlySet<string | null>): boolean {
  if (!required) return false;
  return required === true || !required.unless.every((field) => known.has(field));
}

function looksLike({ type = "text" }: FieldRule, samples: readonly string[]): boolean {
  const filled = samples.map((sample) => sample.trim()).filter((sample) => sample !== "");
  if (filled.length === 0) return false;
  if (type === "date") return filled.every((sample) => DATE.test(sample));
  if (type === "money" || type === "decimal") return filled.every((sample) => NUMBER.test(sample));
  return !filled.some((sample) => DATE.test(sample) || NUMBER.test(sample));
}

const DATE = /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/;

const NUMBER = /^-?\$?-?\d[\d,]*(\.\d+)?$/;

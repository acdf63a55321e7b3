import { editDistance } from "#formats/text/edit-distance.ts";
import { looseName } from "#integrations/intuit/loose-name.ts";

/** One entry of a company's list. `fullName` is the path "Parent:Child" if the list has levels. */
export type ListEntry = {
  id: string;
  name: string;
  fullName?: string | undefined;
  sku?: string | undefined;
  active: boolean;
};

export type NameMatch<Entry> =
  | { kind: "found"; entry: Entry }
  | { kind: "inactive"; entry: Entry }
  | { kind: "several"; entries: Entry[] }
  /**
   * `isSure` if the first suggestion may be preselected: its digits equal those of the text, and no
   * other is as near.
   */
  | { kind: "none"; suggestions: string[]; isSure: boolean };

/** A list prepared for many lookups of the same few names. */
export type NameIndex<Entry extends ListEntry> = {
  entries: readonly Entry[];
  byText: Map<string | undefined, Entry[]>[];
  answers: Map<string, NameMatch<Entry>>;
  chosen: ReadonlyMap<string, string>;
  /** Letters and digits of each active entry's names, computed for the first suggestion. */
  bareNames: { entry: Entry; names: string[] }[] | undefined;
  suggested: number;
  areTerms: boolean;
};

type Options = {
  /** Ids by loose name that users have confirmed; used if the list itself has no clear match. */
  chosen?: ReadonlyMap<string, string> | undefined;
  /** Whether the list has payment terms, which match if their numbers of days are equal. */
  areTerms?: boolean;
};

const MAX_SUGGESTIONS = 3;
/**
 * Maximum number of unknown names per file that get suggestions; beyond it, the list itself is
 * wrong.
 */
const MAX_SUGGESTED_NAMES = 50;

/** Prepares a list. Full names are tried before short ones, short ones before SKUs. */
export function indexNames<Entry extends ListEntry>(
  entries: readonly Entry[],
  { chosen = new Map(), areTerms = false }: Options = {},
): NameIndex<Entry> {
  const texts = [(entry: Entry) => entry.fullName, (entry: Entry) => entry.name, (entry: Entry) => entry.sku];
  const exact = texts.map((getText) => Map.groupBy(entries, getText));
  const loose = texts.map((getText) => Map.groupBy(entries, (entry) => looseName(getText(entry) ?? "")));
  return {
    entries,
    byText: [...exact, ...loose],
    answers: new Map(),
    chosen,
    bareNames: undefined,
    suggested: 0,
    areTerms,
  };
}

/**
 * Finds the entry a cell names: exactly, else ignoring case, outer spaces and repeated spaces.
 * Active entries win over inactive ones with the same name; two active ones with one name are
 * ambiguous.
 */
export function findName<Entry extends ListEntry>(index: NameIndex<Entry>, text: string): NameMatch<Entry> {
  const answer = index.answers.get(text) ?? seek(index, text);
  index.answers.set(text, answer);
  return answer;
}

function seek<Entry extends ListEntry>(index: NameIndex<Entry>, text: string): NameMatch<Entry> {
  const listed = findListed(index, text);
  if (listed?.kind === "found") return listed;
  const choice = chosenEntry(index, text) ?? listed;
  if (choice) return choice;
  if (index.suggested >= MAX_SUGGESTED_NAMES) return { kind: "none", suggestions: [], isSure: false };
  index.suggested++;
  return { kind: "none", ...suggest(index, text) };
}

/** Finds a name in the list itself; undefined if the list does not have it. */
function findListed<Entry extends ListEntry>(
  index: NameIndex<Entry>,
  text: string,
): NameMatch<Entry> | undefined {
  let inactive: Entry | undefined;
  const loose = looseName(text);
  for (const [level, byText] of index.byText.entries()) {
    const key = level < 3 ? text : loose;
    // Entries without a name of one kind share the empty name.
    const found = (key !== "" && byText.get(key)) || [];
    const active = found.filter((entry) => entry.active);
    if (active[0] && active.length === 1) return { kind: "found", entry: active[0] };
    if (active.length > 1) return { kind: "several", entries: active };
    inactive ??= found[0];
  }
  return inactive && { kind: "inactive", entry: inactive };
}

function chosenEntry<Entry extends ListEntry>(
  { entries, chosen }: NameIndex<Entry>,
  text: string,
): NameMatch<Entry> | undefined {
  const id = chosen.get(looseName(text));
  const entry = id === undefined ? undefined : entries.find((each) => each.id === id && each.active);
  return entry && { kind: "found", entry };
}

type Nearness = { name: string; digitsDiffer: boolean; distance: number };

/** Suggests names that `text` may be a typo of: those with its digits first, then the nearest. */
function suggest<Entry extends ListEntry>(
  index: NameIndex<Entry>,
  text: string,
): { suggestions: string[]; isSure: boolean } {
  const wanted = bareName(text);
  if (wanted === "") return { suggestions: [], isSure: false };
  const limit = Math.max(1, Math.min(3, Math.floor(wanted.length / 4)));
  index.bareNames ??= index.entries
    .filter((entry) => entry.active)
    .map((entry) => ({ entry, names: listBareNames(entry) }));
  const near = index.bareNames.flatMap(({ entry, names }): Nearness[] => {
    const name = entry.fullName ?? entry.name;
    const nearness = measureNearness(wanted, names, limit);
    // "30 days" is most likely "Net 30", and "2/10 net 30" is not.
    const isSameTerm = index.areTerms && nearness.distance > 0 && hasSameDigits(text, name);
    if (isSameTerm) return [{ name, distance: Math.min(nearness.distance, limit), digitsDiffer: false }];
    return nearness.distance <= limit ? [{ name, ...nearness }] : [];
  });
  near.sort((a, b) => compareNearness(a, b) || a.name.localeCompare(b.name, "en"));
  const [first, second] = near;
  const isSure =
    first !== undefined &&
    !first.digitsDiffer &&
    (!second || compareNearness(first, second) < 0) &&
    (first.distance === 0 || !index.areTerms || PLAIN_TERMS.test(wanted));
  return { suggestions: near.slice(0, MAX_SUGGESTIONS).map(({ name }) => name), isSure };
}

/** Measures the nearest of an entry's names; greater than `limit` if none is near. */
function measureNearness(wanted: string, names: readonly string[], limit: number): Omit<Nearness, "name"> {
  let nearest = { distance: limit + 1, digitsDiffer: true };
  for (const bare of names) {
    const distance = distanceTo(wanted, bare, limit);
    if (distance > nearest.distance || distance > limit) continue;
    const differ = distance > 0 && digitRuns(bare) !== digitRuns(wanted);
    const digitsDiffer = distance < nearest.distance ? differ : nearest.digitsDiffer && differ;
    nearest = { distance, digitsDiffer };
  }
  return nearest;
}

const hasSameDigits = (text: string, name: string): boolean =>
  digitRuns(text) !== "" && digitRuns(text) === digitRuns(name);

/** Terms that consist of a number of days only. */
const PLAIN_TERMS = /^(?:net|n|days?|d|due|in|within|terms?|\d)+$/;

const compareNearness = (a: Nearness, b: Nearness): number =>
  Number(a.digitsDiffer) - Number(b.digitsDiffer) || a.distance - b.distance;

const digitRuns = (text: string): string => text.match(/\d+/g)?.join(" ") ?? "";

function listBareNames({ name, fullName, sku }: ListEntry): string[] {
  return [...new Set([name, fullName ?? "", sku ?? ""].map(bareName))].filter((bare) => bare !== "");
}

/** Measures the distance between two names; a prefix counts as near. */
function distanceTo(wanted: string, bare: string, limit: number): number {
  if (wanted === bare) return 0;
  if (wanted.length >= 4 && bare.length >= 4 && (bare.startsWith(wanted) || wanted.startsWith(bare)))
    return limit;
  return editDistance(wanted, bare, limit);
}

/** Reduces a name to letters and digits, without case and accents. */
function bareName(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

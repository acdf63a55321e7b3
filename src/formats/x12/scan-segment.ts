import type { Delimiters } from "./delimiters.ts";
import type { Segment } from "./transaction-set.ts";

/** For each byte: nothing of note, the end of an element or segment, or a character that asks for a second look. */
export type CharacterClasses = Uint8Array;

const PLAIN = 0;
const ENDS_ELEMENT = 1;
const ENDS_SEGMENT = 2;
const ODD = 3;

/** Odd are control characters, and the separators of parts of elements. */
export function classifyCharacters({
  element,
  component,
  repetition,
  segment,
}: Delimiters): CharacterClasses {
  const classes = new Uint8Array(256);
  classes.fill(ODD, 0, 32);
  classes[127] = ODD;
  classes[component.charCodeAt(0)] = ODD;
  if (repetition !== null) classes[repetition.charCodeAt(0)] = ODD;
  classes[element.charCodeAt(0)] = ENDS_ELEMENT;
  classes[segment.charCodeAt(0)] = ENDS_SEGMENT;
  return classes;
}

/** Names of segments by their characters: one text for each makes looking it up several times as fast. */
const NAMES = new Map<number, string>();
const MAX_NAMES = 1_000;

function sharedName(text: string, begin: number, end: number): string {
  if (end - begin > 3) return text.slice(begin, end);
  let key = 0;
  for (let at = begin; at < end; at += 1) key = 256 * key + text.charCodeAt(at);
  const known = NAMES.get(key);
  if (known !== undefined) return known;
  const name = text.slice(begin, end);
  if (NAMES.size < MAX_NAMES) NAMES.set(key, name);
  return name;
}

export type Scanned = {
  elements: Segment;
  /** Index of the terminator; -1 without one. */
  end: number;
  isOdd: boolean;
};

/** Splits the segment that begins at an index. One look at each character takes half the time of splitting texts. */
export function scanSegment(text: string, from: number, classes: CharacterClasses): Scanned {
  const elements: string[] = [];
  const { length } = text;
  let begin = from;
  let isOdd = false;
  for (let at = from; at < length; at += 1) {
    const kind = classes[text.charCodeAt(at)];
    if (kind === PLAIN) continue;
    if (kind === ODD) {
      isOdd = true;
      continue;
    }
    elements.push(begin === from ? sharedName(text, begin, at) : text.slice(begin, at));
    if (kind === ENDS_SEGMENT) return { elements, end: at, isOdd };
    begin = at + 1;
  }
  elements.push(text.slice(begin));
  return { elements, end: -1, isOdd };
}

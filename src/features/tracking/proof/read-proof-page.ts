import { Tokenizer, TokenizerMode, type Token, type TokenHandler } from "parse5";

/** Values from UPS's proof-of-delivery page, as UPS wrote them; empty if missing. */
export type ProofPage = {
  references: string[];
  service: string;
  weight: string;
  shippedOn: string;
  deliveredOn: string;
  deliveredTo: string;
  leftAt: string;
  receivedBy: string;
};

type Field = keyof ProofPage | "number";

const LABELS: Readonly<Record<string, Field>> = {
  "tracking number": "number",
  "tracking number(s)": "number",
  "reference number": "references",
  "reference number(s)": "references",
  "reference numbers": "references",
  service: "service",
  "service type": "service",
  weight: "weight",
  "package weight": "weight",
  "shipped / billed on": "shippedOn",
  "shipped/billed on": "shippedOn",
  "shipped or billed on": "shippedOn",
  "shipped on": "shippedOn",
  "billed on": "shippedOn",
  "delivered on": "deliveredOn",
  "delivered to": "deliveredTo",
  "left at": "leftAt",
  "received by": "receivedBy",
  "signed by": "receivedBy",
};

/** Labels before a colon are matched by keyword, because UPS changes their wording. The first match wins. */
const WORDS: readonly [RegExp, Field][] = [
  [/\btracking number/, "number"],
  [/\breference/, "references"],
  [/\b(?:shipped|billed)\b/, "shippedOn"],
  [/\bdelivered on\b|\bdelivery date\b/, "deliveredOn"],
  [/\bdelivered to\b/, "deliveredTo"],
  [/\bleft at\b/, "leftAt"],
  [/\b(?:received|signed) by\b/, "receivedBy"],
  [/\bweight\b/, "weight"],
  [/\bservice\b/, "service"],
];
/** A longer text before a colon is a sentence. */
const MAX_LABEL = 40;

/** UPS's pages have about ten kilobytes; what comes after this is not read. */
const MAX_BYTES = 512 * 1024;
const MAX_VALUE = 200;
const MAX_REFERENCES = 20;

/**
 * Reads the labeled lines of UPS's "Delivery Notification". Its markup has known defects, so any markup is accepted.
 * Nothing is loaded or run: scripts, styles and addresses are skipped.
 * @returns null if the page does not name the package, or names another one
 * @see facts of UPS in docs/integrations/ups.md
 */
export function readProofPage(bytes: Uint8Array, trackingNumber: string): ProofPage | null {
  const found = new Map<Field, string[]>();
  let open: Field | undefined;
  for (const line of readLines(decode(bytes.subarray(0, MAX_BYTES)))) {
    const label = findLabel(line);
    if (label && label.value === "") {
      open = label.field;
      continue;
    }
    const field = label?.field ?? open;
    open = undefined;
    if (field) found.set(field, [...(found.get(field) ?? []), (label?.value ?? line).slice(0, MAX_VALUE)]);
  }
  const numbers = (found.get("number") ?? []).map(bare);
  if (numbers.length === 0 || numbers.some((number) => number !== bare(trackingNumber))) return null;
  const first = (field: Field) => found.get(field)?.[0] ?? "";
  return {
    references: [...new Set(found.get("references"))].slice(0, MAX_REFERENCES),
    service: first("service"),
    weight: first("weight"),
    shippedOn: first("shippedOn"),
    deliveredOn: first("deliveredOn"),
    deliveredTo: first("deliveredTo"),
    leftAt: first("leftAt"),
    receivedBy: first("receivedBy"),
  };
}

const bare = (number: string): string => number.replaceAll(/\s/g, "").toUpperCase();

/** The pages are UTF-8 without saying so; older ones are not. */
function decode(bytes: Uint8Array): string {
  try {
    // As part of a stream, a letter that is cut at the end isn't an error.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** A label is alone on its line, or before a colon and its value; one of several words also before its value. */
function findLabel(line: string): { field: Field; value: string } | undefined {
  const folded = line.toLowerCase();
  for (const [label, field] of Object.entries(LABELS)) {
    if (!folded.startsWith(label)) continue;
    const rest = line.slice(label.length).trimStart();
    if (rest === "" || rest.startsWith(":")) return { field, value: rest.slice(1).trim() };
    if (label.includes(" ") && /^\s/.test(line.slice(label.length))) return { field, value: rest };
  }
  const colon = line.indexOf(":");
  if (colon === -1) return undefined;
  const words = folded.slice(0, colon);
  const field = words.length <= MAX_LABEL ? WORDS.find(([pattern]) => pattern.test(words))?.[1] : undefined;
  return field && { field, value: line.slice(colon + 1).trim() };
}

/** Elements that break a line; `br` with a closing tag is one of UPS's defects. */
const BREAKS = new Set(
  "address article blockquote body br dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main ol option p pre section table tbody td tfoot th thead title tr ul".split(
    " ",
  ),
);
/** Elements whose content isn't page text, with the tokenizer mode that finds their end. */
const HIDDEN: ReadonlyMap<string, number> = new Map([
  ["script", TokenizerMode.SCRIPT_DATA],
  ...["style", "xmp", "iframe", "noembed", "noframes"].map((name) => [name, TokenizerMode.RAWTEXT] as const),
  ...["title", "textarea"].map((name) => [name, TokenizerMode.RCDATA] as const),
]);

/**
 * Returns the lines of a page's text. Only its tokens are read: a crafted page can make building a DOM tree take
 * quadratic time and memory.
 */
function readLines(html: string): string[] {
  let text = "";
  let hidden: string | undefined;
  const breakAt = ({ tagName }: Token.TagToken) => {
    if (BREAKS.has(tagName)) text += "\n";
  };
  const add = ({ chars }: Token.CharacterToken) => {
    if (hidden === undefined) text += chars.replaceAll(/\s+/g, " ");
  };
  const ignore = () => {};
  const handler: TokenHandler = {
    onComment: ignore,
    onDoctype: ignore,
    onEof: ignore,
    onNullCharacter: ignore,
    onCharacter: add,
    onWhitespaceCharacter: add,
    onStartTag: (tag) => {
      breakAt(tag);
      const mode = HIDDEN.get(tag.tagName);
      if (mode === undefined) return;
      hidden = tag.tagName;
      tokenizer.state = mode;
    },
    onEndTag: (tag) => {
      breakAt(tag);
      if (tag.tagName === hidden) hidden = undefined;
    },
  };
  const tokenizer = new Tokenizer({}, handler);
  tokenizer.write(html, true);
  return text
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter(Boolean);
}

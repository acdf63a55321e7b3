import { damaged } from "./refusals.ts";

/**
 * Namespaces of the prefixes in one XML part at the reading position. Declarations are rare and found by
 * searching for their keyword, so tags without one cost nothing.
 */
export const unknownNamespaces = () => ({
  /** Whether names without a prefix are in the part's main namespace here. */
  mainWithoutPrefix: false,
  /** Start of the next tag to process: one that may declare a namespace, or any inside one that does. */
  nextTag: 0,
  /** Start of the next tag that may declare a namespace. */
  nextDeclaration: 0,
  /**
   * Number of open elements, counted from the outermost one that declares a namespace, except the root
   * element.
   */
  open: 0,
  /** Namespace of the root element: the transitional or the strict one. Undefined before it. */
  main: undefined as string | undefined,
  /** Namespace addresses by prefix code, innermost last. */
  addresses: new Map<number, string[]>(),
  /** Prefixes declared by open elements, with the number of open elements at that time. */
  declared: [] as { prefix: number; open: number }[],
});

type Namespaces = ReturnType<typeof unknownNamespaces>;

/** Applies the declarations of a tag. @param at offset after its `<` */
export function applyTag(namespaces: Namespaces, { bytes, at }: { bytes: Buffer; at: number }): void {
  forgetClosed(namespaces);
  // The name of an end tag still has the meaning it has inside its element.
  if (bytes[at] === SLASH) return closeElement(namespaces);
  if (namespaces.open > 0) namespaces.open++;
  if (at > namespaces.nextDeclaration) declare(namespaces, bytes, at);
}

/** Counts the end of an element: at its end tag, or at a self-closing tag. */
export function closeElement(namespaces: Namespaces): void {
  if (namespaces.open > 0) namespaces.open--;
}

/** @param prefix code of a prefix */
export const isMainPrefix = (namespaces: Namespaces, prefix: number): boolean =>
  findAddress(namespaces, prefix) === namespaces.main;

/** @returns the offset of the `>` that ends the tag, or -1 */
export function tagEnd(bytes: Buffer, from: number): number {
  const end = bytes.length;
  let quote = 0;
  for (let at = from; at < end; at++) {
    const byte = bytes[at] as number;
    if (quote !== 0) {
      if (byte === quote) quote = 0;
    } else if (byte === GREATER) return at;
    else if (byte === QUOTE || byte === APOSTROPHE) quote = byte;
  }
  return -1;
}

const SLASH = 0x2f;
const GREATER = 0x3e;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

function declare(namespaces: Namespaces, bytes: Buffer, at: number): void {
  const end = tagEnd(bytes, at);
  if (end < 0) throw damaged("a part is cut off");
  const tag = bytes.toString("latin1", at, end);
  const name = /^[^\s/]*/.exec(tag)?.[0] ?? "";
  const isFirst = namespaces.main === undefined;
  for (const [prefix, address] of declarationsIn(tag.slice(name.length))) {
    const addresses = namespaces.addresses.get(prefix) ?? [];
    addresses.push(address);
    namespaces.addresses.set(prefix, addresses);
    if (isFirst) continue;
    namespaces.open ||= 1;
    namespaces.declared.push({ prefix, open: namespaces.open });
  }
  namespaces.main ??= findAddress(namespaces, nameCode(/^(.*):/.exec(name)?.[1] ?? ""));
  namespaces.nextDeclaration = findDeclaration(bytes, end);
  settle(namespaces);
}

function forgetClosed(namespaces: Namespaces): void {
  const { declared, addresses, open } = namespaces;
  if ((declared.at(-1)?.open ?? 0) <= open) return;
  for (let last = declared.at(-1); last && last.open > open; last = declared.at(-1)) {
    declared.pop();
    addresses.get(last.prefix)?.pop();
  }
  settle(namespaces);
}

function settle(namespaces: Namespaces): void {
  namespaces.mainWithoutPrefix = isMainPrefix(namespaces, 0);
  namespaces.nextTag = namespaces.declared.length > 0 ? 0 : namespaces.nextDeclaration;
}

/** An undeclared prefix has no namespace. */
function findAddress({ addresses }: Namespaces, prefix: number): string {
  return addresses.get(prefix)?.at(-1) ?? "";
}

function declarationsIn(attributes: string): [prefix: number, address: string][] {
  const found = attributes.matchAll(/\s*([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gy);
  return [...found].flatMap(([, name = "", double, single]) => {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) return [];
    return [[nameCode(name.slice("xmlns:".length)), double ?? single ?? ""] as [number, string]];
  });
}

/** If the keyword occurs in text, the search continues at the next tag. */
function findDeclaration(bytes: Buffer, from: number): number {
  for (let at = from; ;) {
    const word = bytes.indexOf("xmlns", at, "latin1");
    if (word < 0) return bytes.length;
    const tag = bytes.lastIndexOf("<", word, "latin1");
    if (tag >= from) return tag;
    at = bytes.indexOf("<", word, "latin1");
    if (at < 0) return bytes.length;
  }
}

/** Computes the code of a name in a part. Two names could share one; the names used here do not. */
export function nameCode(name: string): number {
  let code = 0;
  for (let index = 0; index < name.length; index++) code = (Math.imul(code, 31) + name.charCodeAt(index)) | 0;
  return code;
}

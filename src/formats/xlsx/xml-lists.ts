import { nameCode } from "./name-code.ts";
import { nextAttribute, nextChild, skipElement, type XmlScan } from "./xml-scan.ts";
import { attributeText } from "./xml-text.ts";

/** The attributes of an element by name; of one with a prefix, whichever it is, by ":name". */
export type Attributes = { get: (name: string) => string | undefined };

/** Hands over the attributes of each child of a name that the element opened last has. */
export function eachChild(scan: XmlScan, name: number, visit: (attributes: Attributes) => void): void {
  while (nextChild(scan)) {
    const attributes = scan.name === name ? readAttributes(scan) : undefined;
    skipElement(scan);
    if (attributes) visit(attributes);
  }
}

/** The attributes of the tag just found; afterwards the scan is behind it. */
export function readAttributes(scan: XmlScan): Attributes {
  const values = new Map<number, string>();
  while (nextAttribute(scan)) values.set(scan.attribute, attributeText(scan));
  return { get: (name) => values.get(nameCode(name)) };
}

export const isTrue = (text: string | undefined): boolean => text === "1" || text === "true";

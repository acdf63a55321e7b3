import { SaxesParser } from "saxes";

/** More than any document of S3's has inside each other: the work of a deeper one grows with the square. */
const MAX_DEPTH = 40;

/**
 * Reads the texts of a document of S3's, by the path of their elements, such as `Error/Code`, in their order.
 * @returns null if it isn't well-formed XML from S3: cut, or a page of another server
 */
export function readXml(body: Buffer): ReadonlyMap<string, readonly string[]> | null {
  const parser = new SaxesParser();
  const texts = new Map<string, string[]>();
  const open: string[] = [];
  let text = "";
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => {
    if (open.length === MAX_DEPTH) throw new Error("Too many elements are inside each other.");
    open.push(name);
    text = "";
  });
  parser.on("text", (part) => (text += part));
  parser.on("closetag", () => {
    const path = open.join("/");
    texts.set(path, [...(texts.get(path) ?? []), text]);
    open.pop();
    text = "";
  });
  try {
    parser.write(body.toString("utf8")).close();
    return texts;
  } catch {
    return null;
  }
}

import { SaxesParser } from "saxes";

/**
 * Reads the texts of a document of S3's, by the path of their elements, such as `Error/Code`, in their order.
 * @returns null if it is no well-formed XML: cut, or a page of another server
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

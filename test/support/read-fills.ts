import { inflateSync } from "node:zlib";

/** A rectangle that a page is filled with, in points from its lower left corner. */
export type Fill = { x: number; y: number; width: number; height: number };

/** Coordinates of a drawing on the page: across and up by so much, times so much. */
type Place = { x: number; y: number; byX: number; byY: number };

const PAGE: Place = { x: 0, y: 0, byX: 1, byY: 1 };

/**
 * The filled rectangles of each page of a document that `writePdf` wrote, drawings that it refers to included: what is
 * printed of its bars. Texts are skipped.
 */
export function readFills(bytes: Buffer): Fill[][] {
  const file = readObjects(bytes);
  const drawings = new Map<string, string>();
  for (const { body } of file.values())
    for (const [, names = ""] of body.matchAll(/\/XObject<<([^>]*)>>/g))
      for (const [, name = "", id] of names.matchAll(/\/(\w+) (\d+) 0 R/g))
        drawings.set(name, file.get(Number(id))?.content ?? "");
  const parsed = new Map([...drawings].map(([name, content]) => [name, parseSteps(content)]));
  return [...file.values()].flatMap(({ body }) => {
    const contents = /\/Type\/Page\/.*?\/Contents (\d+) 0 R/.exec(body)?.[1];
    if (contents === undefined) return [];
    const fills: Fill[] = [];
    drawInto(fills, parseSteps(file.get(Number(contents))?.content ?? ""), { place: PAGE, parsed });
    return [fills];
  });
}

type Part = { body: string; content: string };

/** Objects one after the other, as they were written. */
function readObjects(bytes: Buffer): Map<number, Part> {
  const objects = new Map<number, Part>();
  const text = bytes.toString("latin1");
  const header = /(\d+) 0 obj(.*?)(stream\n|endobj\n)/gs;
  for (let found = header.exec(text); found; found = header.exec(text)) {
    const [, id, body = "", end] = found;
    const length = end === "stream\n" ? Number(/\/Length (\d+)/.exec(body)?.[1]) : 0;
    const content =
      length > 0 ? inflateSync(bytes.subarray(header.lastIndex, header.lastIndex + length)) : "";
    header.lastIndex += length;
    objects.set(Number(id), { body, content: content.toString("latin1") });
  }
  return objects;
}

type Step = { operator: string; operands: string[] };

const TOKEN = /\((?:\\.|[^\\()])*\)|\/?[^\s()/]+/gs;

/** Operators that fill or place something, each with its operands. */
function parseSteps(content: string): Step[] {
  const steps: Step[] = [];
  let operands: string[] = [];
  for (const [token] of content.matchAll(TOKEN)) {
    if (/^[-+.\d/(<[]/.test(token)) operands.push(token);
    else {
      if (/^(?:q|Q|cm|re|Do)$/.test(token)) steps.push({ operator: token, operands });
      operands = [];
    }
  }
  return steps;
}

type Drawing = { place: Place; parsed: ReadonlyMap<string, readonly Step[]> };

function drawInto(fills: Fill[], steps: readonly Step[], { place: start, parsed }: Drawing): void {
  let place = start;
  const kept: Place[] = [];
  for (const { operator, operands } of steps) {
    if (operator === "q") kept.push(place);
    else if (operator === "Q") place = kept.pop() ?? start;
    else if (operator === "cm") place = moved(place, operands.map(Number));
    else if (operator === "re") fills.push(filled(place, operands.map(Number)));
    else drawInto(fills, parsed.get(operands.at(-1)?.slice(1) ?? "") ?? [], { place, parsed });
  }
}

/** Our documents turn nothing. */
function moved({ x, y, byX, byY }: Place, [a = 1, , , d = 1, e = 0, f = 0]: number[]): Place {
  return { x: x + e * byX, y: y + f * byY, byX: byX * a, byY: byY * d };
}

const filled = ({ x, y, byX, byY }: Place, [left = 0, low = 0, width = 0, height = 0]: number[]): Fill => ({
  x: x + left * byX,
  y: y + low * byY,
  width: width * byX,
  height: height * byY,
});

import type { Lines } from "#integrations/objects/journal.ts";
import type { S3Place } from "#integrations/objects/s3-call.ts";
import { get, putNew, reachable, remove } from "#integrations/objects/s3-store.ts";

/** Parts that are read as one by those who read all: the last of them repeats the others. */
const BLOCK = 500;
/** Between the parts that are repeated and the part's own lines. It isn't a line of a journal. */
const OWN = "\n--\n";

/**
 * Keeps lines in a bucket, where a machine's end does not end them: numbered parts, each stored only if its number is free, so
 * that of several processes each adds behind the other. A part whose answer was lost may be there twice.
 */
export function createS3Lines(place: S3Place): Lines {
  const nameKey = (part: number) => `journal/${String(part).padStart(12, "0")}`;
  const getPart = async (part: number) => (await reachable(get(place, nameKey(part))))?.toString() ?? null;
  const isBlock = (part: number) => part % BLOCK === 0;
  const takeOwn = (text: string) => text.slice(text.lastIndexOf(OWN) + OWN.length);

  const readOn = async (from: number): Promise<{ text: string; next: number }> => {
    const texts: string[] = [];
    let next = from;
    for (let text; isBlock(next) && (text = await getPart(next + BLOCK)) !== null; next += BLOCK)
      texts.push(text);
    for (let text; (text = await getPart(next + 1)) !== null; next += 1)
      texts.push(isBlock(next + 1) ? takeOwn(text) : text);
    return { text: texts.join(""), next };
  };

  let end = 0;
  return {
    readOn: async (from) => {
      const read = await readOn(from);
      end = Math.max(end, read.next);
      return { from, ...read };
    },
    append: async (text) => {
      for (;;) {
        // In most cases nothing was added by others.
        end = (await readOn(end)).next;
        const part = end + 1;
        const before = isBlock(part) ? `${(await readOn(part - BLOCK)).text}${OWN}` : "";
        if (await reachable(putNew(place, nameKey(part), Buffer.from(`${before}${text}`)))) return;
      }
    },
    clear: async () => {
      for (let part = (await readOn(0)).next; part > 0; part -= 1)
        await reachable(remove(place, nameKey(part)));
      end = 0;
    },
  };
}

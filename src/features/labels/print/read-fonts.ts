import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { FontFile } from "#formats/pdf/fonts.ts";

const require = createRequire(import.meta.url);
const FILES = join(dirname(require.resolve("@fontsource/arimo/package.json")), "files");
const WEIGHTS = { regular: 400, bold: 700 } as const;
const known = new Map<string, Uint8Array>();

/** Arimo, as wide as Helvetica; each file is read once. */
export const readFontFile: FontFile = (script, face) => {
  const name = `arimo-${script}-${WEIGHTS[face]}-normal.woff`;
  const bytes = known.get(name) ?? readFileSync(join(FILES, name));
  known.set(name, bytes);
  return bytes;
};

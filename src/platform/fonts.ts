import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const FONTS = join(dirname(require.resolve("@fontsource/arimo/package.json")), "files");
const WEIGHTS = { regular: 400, bold: 700 } as const;
const fonts = new Map<string, Uint8Array>();

/** Arimo, which has the metrics of Helvetica; each file is read once. */
export function readFontFile(script: string, face: keyof typeof WEIGHTS): Uint8Array {
  const name = `arimo-${script}-${WEIGHTS[face]}-normal.woff`;
  const bytes = fonts.get(name) ?? readFileSync(join(FONTS, name));
  fonts.set(name, bytes);
  return bytes;
}

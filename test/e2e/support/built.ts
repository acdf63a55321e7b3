import { readFile, stat } from "node:fs/promises";

const BUILT = new URL("../../../dist/web/", import.meta.url);

type Chunk = { file: string; imports?: readonly string[]; dynamicImports?: readonly string[] };

/** Result of the build: its chunks by source, and the scripts of each path beyond the shell. */
export type Build = {
  chunks: Readonly<Record<string, Chunk>>;
  pages: Readonly<Record<string, { scripts: readonly string[] }>>;
  shell: readonly string[];
};

/** The build's own lists, which are not served. */
export async function readBuild(): Promise<Build> {
  const chunks = JSON.parse(await readBuilt(".vite/manifest.json")) as Build["chunks"];
  const pages = JSON.parse(await readBuilt(".vite/pages.json")) as Build["pages"];
  return { chunks, pages, shell: loadedFiles(chunks, ["index.html"]) };
}

export const readBuilt = (file: string): Promise<string> => readFile(new URL(file, BUILT), "utf8");

/** Files of these sources and of all that they import right away. */
export function loadedFiles(chunks: Build["chunks"], sources: readonly string[]): string[] {
  const seen = new Set(sources);
  for (const source of seen) for (const next of chunks[source]?.imports ?? []) seen.add(next);
  return [...seen].flatMap((source) => chunks[source]?.file ?? []);
}

/** Sources that a page loads when something is opened in it, directly or later. */
export function lazySources({ chunks, pages }: Build, path: string): string[] {
  const own = new Set(pages[path]?.scripts);
  const seen = new Set(
    Object.values(chunks)
      .filter(({ file }) => own.has(file))
      .flatMap(({ dynamicImports }) => dynamicImports ?? []),
  );
  for (const source of seen) for (const next of chunks[source]?.dynamicImports ?? []) seen.add(next);
  return [...seen];
}

/** Size of these files as sent, in kB of 1,000 bytes; a file without a packed form counts as it is. */
export async function weigh(files: Iterable<string>): Promise<number> {
  const sizes = await Promise.all(
    [...new Set(files)].map(async (file) => {
      const packed = await stat(new URL(`${file}.br`, BUILT)).catch(() => stat(new URL(file, BUILT)));
      return packed.size;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
}

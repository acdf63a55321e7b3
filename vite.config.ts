import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Manifest, parseAst, type Plugin } from "vite";
import { prerenderFailure, prerenderForUsers, prerenderPages } from "./src/web/prerender.ts";

/**
 * The browser takes methods, paths and constants from the contracts and leaves checking to the server, so the
 * schemas become one inert value there, and those that no page uses are dropped. Saves about 28 kB of compressed script
 * on every page; a validating Zod would also need `unsafe-eval` in the content security policy for its fast path.
 */
function contractsWithoutSchemas(): Plugin {
  return {
    name: "contracts-without-schemas",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      if (!/\/(contract|contract\/[a-z-]+)\.ts$/.test(id)) return null;
      const cuts: Cut[] = [];
      const files = new Set(/^const (\w+) = \{[^}]*\bfile: /gm.exec(code)?.slice(1));
      walk(parseAst(code, { lang: "ts" }) as unknown as Node, (node) => {
        if (node.type !== "CallExpression") return;
        // A schema that no page uses is dropped.
        cuts.push({ start: node.start, end: node.start, text: "/* @__PURE__ */ " });
        if ((node["callee"] as Node)["name"] === "endpoint")
          cuts.push(...cutsOfEndpoint(node, { code, files }));
      });
      // The server refuses files that are too large.
      const text = cut(code, cuts).replaceAll(/, maxBytes: \w+/g, "");
      return text.replace(/^import \* as z from "zod";$/m, `import { z } from "${INERT_SCHEMAS}";`);
    },
  };
}

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Cut = { start: number; end: number; text: string };

/** Properties of an endpoint that a call from a page needs; only servers and the OpenAPI description use the others. */
const FOR_PAGES = new Set(["method", "path", "file", "response"]);

type Module = { code: string; files: ReadonlySet<unknown> };

function cutsOfEndpoint(call: Node, { code, files }: Module): Cut[] {
  const [definition] = call["arguments"] as [Node];
  return (definition["properties"] as Node[]).flatMap((property) => {
    const name = (property["key"] as Node | undefined)?.["name"];
    const value = property["value"] as Node | undefined;
    // The media type of a document is an object; everything else is a schema.
    if (name === "response" && value && value.type !== "ObjectExpression")
      return { start: value.start, end: value.end, text: "{}" };
    // Endpoints of one module may share their file; what several modules share is access and queries.
    const isShared = property.type === "SpreadElement" && files.has((property["argument"] as Node)["name"]);
    if (isShared || FOR_PAGES.has(String(name))) return [];
    const [comma = ""] = /^\s*,/.exec(code.slice(property.end)) ?? [];
    return { start: property.start, end: property.end + comma.length, text: "" };
  });
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const child of Object.values(node).flat())
    if (typeof child === "object" && child !== null && "type" in child) walk(child as Node, visit);
}

/** Replaces parts of a text; a part inside another one that is replaced goes with it. */
function cut(code: string, cuts: readonly Cut[]): string {
  let at = 0;
  let text = "";
  for (const { start, end, text: instead } of cuts.toSorted((x, y) => x.start - y.start || y.end - x.end)) {
    if (start < at) continue;
    text += code.slice(at, start) + instead;
    at = end;
  }
  return text + code.slice(at);
}

/**
 * Few chunks: what every page needs, what pages of several areas need, and each page's or area's own. The bundler's
 * own cut makes forty of a few hundred bytes, and on a slow line each six of them cost one more round trip. Its groups
 * (shared by two, merged from 20 kB on) need as few files, but a page then loads 45 to 80 kB besides the shell.
 */
function fewChunks(): { plugin: Plugin; chunkName: (id: string) => string | null } {
  let names: ReadonlyMap<string, string> = new Map();
  const plugin: Plugin = {
    name: "few-chunks",
    apply: "build",
    buildEnd() {
      const listImports = (id: string) => this.getModuleInfo(id)?.importedIds ?? [];
      const pages = this.getModuleInfo(inRoot("src/web/routes.tsx"))?.dynamicallyImportedIds ?? [];
      names = nameChunks(listImports, pages);
    },
  };
  return { plugin, chunkName: (id) => names.get(id) ?? (UPS_LABELS.test(id) ? "ups-labels" : null) };
}

/** Modules that every part of the UPS labels needs; the bundler's own cut makes four chunks of them. */
const UPS_LABELS =
  /\/features\/shipping\/web\/(settings\/words|shipment\/(queries|rules-cartons)|carrier\/(words|rules-orders|typed-cartons|order-store|carrier-context))\.ts$/;

type ListImports = (id: string) => readonly string[];

/**
 * Names the chunks: modules that only pages of one area share are loaded with these pages, not with every page.
 * @returns the chunk of each module by its id; a page's own first file stays the bundler's
 */
function nameChunks(listImports: ListImports, pages: readonly string[]): Map<string, string> {
  const pagesByModule = new Map<string, string[]>();
  for (const page of pages)
    for (const id of reached(listImports, page))
      pagesByModule.set(id, [...(pagesByModule.get(id) ?? []), page]);
  const findAreas = (id: string) => new Set(pagesByModule.get(id)?.map(findArea));
  const joint = new Set(
    [...pagesByModule]
      .filter(([id, by]) => by.length > 1 && findAreas(id).size === 1)
      .flatMap(([id]) => [...findAreas(id)]),
  );
  const names = new Map<string, string>();
  for (const [id, [page = ""]] of pagesByModule) {
    // Areas need nothing but these from each other; in a chunk of others they would bring them all.
    if (/\/features\/(packages\/contract|tracking\/(contract|web\/queries))\.ts$/.test(id)) continue;
    const isJoint = joint.has(findArea(page));
    const shared = findAreas(id).size > 1 ? sharedName(pagesByModule.get(id)) : null;
    // A part of the kit may be used by something of another area that is loaded later.
    if (id.includes(KIT) && (shared ?? OTHERS) === OTHERS) continue;
    // So may what the orders of the retailer or Admin have in common with other areas.
    if (shared === null && APART.some((area) => page.includes(area) && !id.includes(area))) continue;
    names.set(id, shared ?? `${isJoint ? findArea(page) : toSlug(page)}-parts`);
  }
  for (const id of reached(listImports, MAIN)) names.set(id, "shell");
  for (const id of [MAIN, ...pages]) names.delete(id);
  return names;
}

const OTHERS = "shared-by-others";
const APART = ["/src/features/order-invoices/", "/src/features/admin/"];

/** The landing page and Upload load nothing that only other pages share. */
function sharedName(pages: readonly string[] = []): string {
  if (pages.includes(LANDING)) return "shared";
  return pages.includes(UPLOAD) ? "shared-by-upload" : OTHERS;
}

/** A module and all it imports right away, however far. */
function reached(listImports: ListImports, from: string): Set<string> {
  const seen = new Set([from]);
  for (const id of seen) for (const next of listImports(id)) seen.add(next);
  return seen;
}

/** A feature; a page of the shell is an area by itself. */
const findArea = (page: string) => /\/src\/features\/([^/]+)\//.exec(page)?.[1] ?? toSlug(page);

const toSlug = (page: string) =>
  page
    .replace(/^.*\/src\/(web|features)\//, "")
    .replace(/\.tsx$/, "")
    .replaceAll(/\/web\/|\W/g, "-");

/**
 * Writes what the server puts into the shell of a path: the scripts of its page, so that the browser asks for them at
 * once instead of after the shell's own script, and what is shown until that script has run.
 */
function pagesByPath(): Plugin {
  return {
    name: "pages-of-paths",
    apply: "build",
    async closeBundle() {
      const manifest = JSON.parse(await readFile(MANIFEST, "utf8")) as Manifest;
      const shell = new Set(listFiles(manifest, "index.html"));
      const html = prerenderPages();
      const forUsers = prerenderForUsers();
      const routes = (await readFile(ROUTES, "utf8")).matchAll(
        /"(\/[\w/-]*)": lazyPage\(\s*\(\) => import\("#(web|features)\/([^"]+)"\)/g,
      );
      const pages = [...routes].map(([, path = "", area = "", file = ""]) => {
        const scripts = listFiles(manifest, `src/${area}/${file}`).filter((name) => !shell.has(name));
        return [path, { scripts, html: html[path] ?? null, forUsers: forUsers[path] ?? null }] as const;
      });
      await writeFile(PAGES, JSON.stringify(Object.fromEntries(pages)));
    },
  };
}

/**
 * The shell of every page: the largest script is asked for first, because a browser asks for six files at a time and
 * everything waits for this one; and what is shown when the script does not start.
 */
function shellOfPages(): Plugin {
  return {
    name: "shell-of-pages",
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const [link = ""] = /^ *<link rel="modulepreload"[^>]*\/shell-[^>]*>\n/m.exec(html) ?? [];
        return html
          .replace(link, "")
          .replace(/^ *<meta name="viewport"/m, (next) => link + next)
          .replace("<!-- not started -->", prerenderFailure);
      },
    },
  };
}

/** Packs the scripts and styles as small as they get, once and here, instead of quickly at every visit. */
function packedFiles(): Plugin {
  return {
    name: "packed-files",
    apply: "build",
    async closeBundle() {
      const names = (await readdir(ASSETS)).filter((name) => /\.(js|css)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const file = join(ASSETS, name);
          await writeFile(`${file}.br`, await promisify(brotliCompress)(await readFile(file)));
        }),
      );
    },
  };
}

/** The library that plays recordings, as a file of its own: what records a page must not grow by it. */
function replayLibrary(): Plugin {
  return {
    name: "replay-library",
    apply: "build",
    async generateBundle() {
      const source = await readFile(inRoot("node_modules/rrweb/umd/rrweb.min.js"));
      this.emitFile({ type: "asset", fileName: "rrweb.js", source });
    },
  };
}

/** The font for pages that are complete as served and can't name a file by its hash. */
function fontsOfServedPages(): Plugin {
  return {
    name: "fonts-of-served-pages",
    apply: "build",
    async generateBundle(_options, bundle) {
      const files = Object.keys(bundle);
      const css = await readFile(inRoot("src/web/fonts.css"), "utf8");
      const source = css.replaceAll(
        /@fontsource\/lato\/files\/([\w-]+)\.woff2/g,
        (_path, name: string) => `/${files.find((file) => file.startsWith(`assets/${name}-`))}`,
      );
      this.emitFile({ type: "asset", fileName: "fonts.css", source });
    },
  };
}

/** A module's own file and those it imports right away. */
function listFiles(manifest: Manifest, module: string, seen = new Set<string>()): string[] {
  const chunk = manifest[module];
  if (!chunk) throw new Error(`The build has no ${module}.`);
  if (seen.has(module)) return [];
  seen.add(module);
  return [chunk.file, ...(chunk.imports ?? []).flatMap((name) => listFiles(manifest, name, seen))];
}

const inRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const MAIN = inRoot("src/web/main.tsx");
const KIT = inRoot("src/web/kit/");
const LANDING = inRoot("src/web/home/page.tsx");
const UPLOAD = inRoot("src/web/upload/page.tsx");
const ASSETS = inRoot("dist/web/assets");
const MANIFEST = inRoot("dist/web/.vite/manifest.json");
const PAGES = inRoot("dist/web/.vite/pages.json");
const ROUTES = inRoot("src/web/routes.tsx");
const INERT_SCHEMAS = inRoot("src/web/kit/inert-schemas.ts");

const chunks = fewChunks();

export default defineConfig({
  plugins: [
    contractsWithoutSchemas(),
    react(),
    chunks.plugin,
    shellOfPages(),
    pagesByPath(),
    replayLibrary(),
    fontsOfServedPages(),
    packedFiles(),
  ],
  publicDir: "src/web/public",
  build: {
    outDir: "dist/web",
    emptyOutDir: true,
    manifest: true,
    modulePreload: { polyfill: false },
    target: "es2022",
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: chunks.chunkName, debugName: "few" }],
        },
      },
    },
    reportCompressedSize: false,
    // The shell is one file on purpose; its compressed size has a limit of its own in the tests.
    chunkSizeWarningLimit: 600,
  },
});

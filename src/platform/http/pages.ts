import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { within, type Clock } from "#platform/clock.ts";
import { notFound } from "#platform/errors.ts";
import { escapeHtml } from "#platform/escape-html.ts";
import { sendProblem } from "#platform/http/problem.ts";
import { serveFiles } from "#platform/http/serve-files.ts";

type Options = {
  clock: Clock;
  /** Folder of the built pages; its `index.html` is the shell of every page. */
  folder: string;
  /** Paths with a page in the shell; any other path gets the shell with status 404. */
  paths: readonly string[];
  /** Facts the pages need before their first call; all are public. Text values are filled into the pages. */
  boot: () => object;
  /** Finds the signed-in visitor of a page; null for guests. */
  visitor?: (request: FastifyRequest) => Promise<Visitor | null>;
};

export type Visitor = {
  /** Facts that the page need not request. */
  user: object;
  /** Values for texts that a user's page has before its script runs. */
  words: Readonly<Record<string, string>>;
};

/** A page as built: its scripts, and its content until they run, for everyone or for users. */
type BuiltPage = { scripts: readonly string[]; html: string | null; forUsers?: string | null };
type BuiltPages = Readonly<Record<string, BuiltPage>>;

/** Wait for a visitor: a database that works needs 10 ms, and one that hangs must not hold pages up. */
const VISITOR_MS = 500;

/** Serves the built pages: files under their own names, the shell for each known path, and 404 elsewhere. */
export async function servePages(
  app: FastifyInstance,
  { clock, folder, paths, boot, visitor }: Options,
): Promise<void> {
  const shell = await readShell(folder);
  const pages = await readPages(folder);
  const shells = new Map(paths.map((path) => [path, fillPage(shell, pages[path])]));
  const ofUsers = new Map(paths.map((path) => [path, pages[path]?.forUsers ?? ""]));
  const send = async (request: FastifyRequest, reply: FastifyReply, path?: string) => {
    // A page without visitor data requests it itself and reports an error if that fails too.
    const known = visitor ? await within(clock, VISITOR_MS, readVisitor(visitor, request)) : null;
    const facts = boot();
    const head = factsElement("boot", facts) + (known ? factsElement("user", known.user) : "");
    // With a query a page shows something else, such as a receipt.
    const words = request.url.includes("?") ? undefined : known?.words;
    const early = words ? (ofUsers.get(path ?? "") ?? "") : "";
    const page = fillWords(fillRoot(shells.get(path ?? "") ?? shell, early), { ...facts, ...words });
    return reply
      .code(path === undefined ? 404 : 200)
      .type("text/html; charset=utf-8")
      .send(fillShell(page, reply.styleNonce, head));
  };

  await serveFiles(app, folder);
  for (const path of paths) app.get(path, (request, reply) => send(request, reply, path));
  app.setNotFoundHandler((request, reply) => {
    if (isPage(request)) return send(request, reply);
    const nothing = notFound(`There is nothing at ${readPath(request)}. Check the address.`);
    return sendProblem(reply, request, nothing);
  });
}

/** Null when the visitor can't be read. */
async function readVisitor(
  visitor: NonNullable<Options["visitor"]>,
  request: FastifyRequest,
): Promise<Visitor | null> {
  return visitor(request).catch((error: unknown) => {
    request.log.warn({ err: error }, "The visitor of a page could not be read");
    return null;
  });
}

async function readShell(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, "index.html"), "utf8");
  } catch (error) {
    throw new Error(
      `The pages are not built: ${join(folder, "index.html")} is missing. Start with npm start.`,
      { cause: error },
    );
  }
}

/** Absent if the pages were not built by our own build, as in server-only tests. */
async function readPages(folder: string): Promise<BuiltPages> {
  try {
    return JSON.parse(await readFile(join(folder, ".vite/pages.json"), "utf8")) as BuiltPages;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
}

/** Fills the shell of one path, with its scripts preloaded and its texts in place until they run. */
function fillPage(shell: string, page: BuiltPage | undefined): string {
  if (!page) return shell;
  const links = page.scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`).join("");
  const ready = shell.replace("</head>", () => `${links}</head>`);
  if (page.html === null) return ready;
  return fillRoot(ready.replace(/<noscript>.*?<\/noscript>/, ""), page.html);
}

const fillRoot = (page: string, html: string) =>
  page.replace('<div id="root">', () => `<div id="root">${html}`);

/** Replaces names in double braces by facts. */
function fillWords(page: string, facts: object): string {
  const byName = new Map(Object.entries(facts));
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_braces, name: string) => {
    const fact: unknown = byName.get(name);
    return typeof fact === "string" ? escapeHtml(fact) : "";
  });
}

/** The nonce is new in every answer; it allows only Emotion's style elements. */
function fillShell(shell: string, nonce: string, facts: string): string {
  return shell.replace("<head>", () => `<head><meta name="csp-nonce" content="${nonce}">${facts}`);
}

/** Data element read by the page; without "<" its content cannot end the element. */
function factsElement(id: string, facts: object): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(facts).replaceAll("<", "\\u003c")}</script>`;
}

const isPage = (request: FastifyRequest) =>
  (request.method === "GET" || request.method === "HEAD") &&
  !request.url.startsWith("/api/") &&
  !/\.\w{1,5}$/.test(readPath(request));

const readPath = (request: FastifyRequest) => request.url.split("?")[0] ?? "";

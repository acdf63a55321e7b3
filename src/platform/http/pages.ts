import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound, type AppError } from "#platform/errors.ts";
import { sendProblem } from "#platform/http/problem.ts";

type Options = {
  /** Folder of the built pages; its `index.html` is the shell of every page. */
  folder: string;
  /** Paths the shell knows a page for; any other path gets the shell too, with status 404. */
  paths: readonly string[];
  /** Facts the pages need before their first call; everything in it is public. */
  boot: object;
};

const YEAR_MS = 31_536_000_000;

/** Serves the built pages: files under their own names, the shell under each known path, and 404 elsewhere. */
export async function servePages(app: FastifyInstance, { folder, paths, boot }: Options): Promise<void> {
  const shell = await readShell(folder);
  const bootText = JSON.stringify(boot).replaceAll("<", "\\u003c");
  const send = (reply: FastifyReply, status: number) =>
    reply
      .code(status)
      .type("text/html; charset=utf-8")
      .send(fillShell(shell, reply.styleNonce, bootText));

  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    cacheControl: false,
    setHeaders: (response, path) => {
      const lasting = path.includes("/assets/");
      void response.header(
        "Cache-Control",
        lasting ? `public, max-age=${YEAR_MS / 1000}, immutable` : "public, max-age=3600",
      );
    },
    globIgnore: ["**/index.html", "**/.vite/**"],
  });
  for (const path of paths) app.get(path, (_request, reply) => send(reply, 200));
  app.setNotFoundHandler((request, reply) => {
    if (isPage(request)) return send(reply, 404);
    return sendProblem(reply, request, missing(request));
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

/** The nonce is new in every answer; it allows Emotion's style elements and nothing else. */
function fillShell(shell: string, nonce: string, boot: string): string {
  const head = `<meta name="csp-nonce" content="${nonce}"><script type="application/json" id="boot">${boot}</script>`;
  return shell.replace("<head>", () => `<head>${head}`);
}

const isPage = (request: FastifyRequest) =>
  (request.method === "GET" || request.method === "HEAD") &&
  !request.url.startsWith("/api/") &&
  !/\.\w{1,5}$/.test(pathOf(request));

const pathOf = (request: FastifyRequest) => request.url.split("?")[0] ?? "";

function missing(request: FastifyRequest): AppError {
  return notFound(`There is nothing at ${pathOf(request)}. Check the address.`);
}

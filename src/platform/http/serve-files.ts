import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { chooseEncoding } from "#platform/http/compress-answers.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

const YEAR_S = 31_536_000;

/**
 * Serves the scripts, styles, fonts and pictures of the built pages from memory, which they take a few megabytes of.
 * One that the build packed is sent packed. Files are served under the names that they have now, so no address can
 * lead to others.
 * @throws Error that names a file of unknown type
 */
export async function serveFiles(app: FastifyInstance, folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length).replaceAll("\\", "/"))
    .filter((path) => path !== "/index.html" && !path.startsWith("/.vite/"));
  const packed = new Set(paths.filter((path) => path.endsWith(".br")));
  for (const path of paths)
    if (!packed.has(path)) app.get(path, await readServed(folder, path, packed.has(`${path}.br`)));
}

async function readServed(folder: string, path: string, isPacked: boolean) {
  const type = TYPES[extname(path)];
  if (!type) throw new Error(`The type of ${path} is unknown. Add it where built files are served.`);
  const plain = await readFile(join(folder, path));
  const packed = isPacked ? await readFile(join(folder, `${path}.br`)) : null;
  const etag = `W/"${createHash("sha256").update(plain).digest("base64url")}"`;
  const lasting = path.startsWith("/assets/");
  const cached = lasting ? `public, max-age=${YEAR_S}, immutable` : "public, max-age=3600";
  return async (request: FastifyRequest, reply: FastifyReply) => {
    void reply.headers({ "Cache-Control": cached, ETag: etag });
    if (packed) void reply.header("Vary", "Accept-Encoding");
    if (isKnown(request.headers["if-none-match"], etag)) return reply.code(304).send();
    void reply.type(type);
    if (!packed || chooseEncoding(request.headers["accept-encoding"]) !== "br") return reply.send(plain);
    return reply.header("Content-Encoding", "br").send(packed);
  };
}

const isKnown = (tags: string | undefined, etag: string) =>
  tags !== undefined && tags.split(",").some((tag) => tag.trim() === etag);

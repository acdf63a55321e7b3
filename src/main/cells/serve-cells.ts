import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { createChangeFeed } from "#platform/events/change-feed.ts";
import type { HttpLimits } from "#platform/http/limits.ts";
import { configuredLimits, countCallers, createWebServer, sessionCookie } from "../web-server.ts";
import { createChoice } from "./choose-cell.ts";
import { createDirectory } from "./directory.ts";
import type { OpenCell } from "./open-cells.ts";

type Options = { pagesFolder: string; limits?: HttpLimits };

/**
 * Creates the HTTP side of all databases: one server that listens, in front of the applications. Each application answers the
 * requests about its companies, and all of them those about users.
 */
export async function serveCells(opened: readonly OpenCell[], options: Options) {
  const [first, ...others] = opened;
  if (!first) throw new Error("There is no database.");
  const { config, ctx, installation } = first.application;
  const limits = options.limits ?? configuredLimits(config);
  const feeds = await Promise.all(
    installation.cells.map(async (cell, at) => ({
      ...cell,
      changes: await createChangeFeed(opened[at]?.connectionString ?? "", ctx),
    })),
  );
  const servers = new Map<string, FastifyInstance>();
  const counts = countCallers(ctx, limits);
  const choose = createChoice({
    installation,
    directory: createDirectory(installation),
    sessionCookie: sessionCookie(config),
    limits,
    gate: counts.gate,
    proxies: config.proxies,
  });
  const front =
    (own: RequestListener) =>
    (request: IncomingMessage, response: ServerResponse): void =>
      void choose(request).then(({ cell }) => {
        // Of a caller who hung up meanwhile: what ends with an answer would never end.
        if (response.closed) return;
        const server = servers.get(cell);
        return server ? server.routing(request, response) : own(request, response);
      });
  const shared = { ...options, limits, feeds, counts };
  const create = ({ application }: OpenCell, at: number) => {
    const feed = feeds[at];
    if (!feed) throw new Error("There is no such database.");
    return createWebServer(application, {
      ...shared,
      changes: feed.changes,
      ...(at === 0 && others.length > 0 ? { front } : {}),
    });
  };
  const web = await create(first, 0);
  for (const [index, cell] of others.entries()) {
    const server = await create(cell, index + 1);
    await server.ready();
    const name = installation.cells[index + 1]?.cell ?? "";
    servers.set(name, server);
    web.addHook("onClose", () => server.close());
  }
  const all = [web, ...servers.values()];
  return {
    listen: (where: { port: number; host: string }) => web.listen(where),
    close: () => web.close(),
    /** Lets changes in progress end, in all databases. */
    finishChanges: async (hurry: AbortSignal) => {
      await Promise.all(all.map((server) => server.finishChanges(hurry)));
    },
  };
}

import { expect, test } from "vitest";
import * as z from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { refuseUndeclaredRoutes } from "#platform/http/declared-routes.ts";
import { HTTP_LIMITS } from "#platform/http/limits.ts";
import { systemClock } from "#platform/clock.ts";
import { createMount } from "#platform/http/mount.ts";
import { createGate } from "#platform/http/gate.ts";
import { createServeRoute } from "#platform/http/serve-route.ts";
import { createHttpServer } from "#platform/http/server.ts";
import { systemIds } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";

const declared = endpoint({
  method: "GET",
  path: "/api/v1/declared",
  summary: "Is in the table",
  access: { kind: "public" },
  response: z.object({}),
});

/** How a feature registers routes, on a server with one endpoint, one page and one folder. */
async function startFeature() {
  const app = await createHttpServer({
    clock: systemClock,
    log: createLog("silent"),
    ids: systemIds,
    https: false,
    proxies: 0,
  });
  refuseUndeclaredRoutes(app, { endpoints: [declared], publicRoutes: ["GET /page", "GET /files/*"] });
  const gate = createGate(systemClock, HTTP_LIMITS);
  const mount = createMount<null>(app, {
    authorize: () => Promise.resolve(null),
    readSession: () => null,
    gate,
  });
  return { app, mount, serveRoute: createServeRoute(app, gate) };
}

test("declared endpoints, pages and files below a declared folder start", async () => {
  const { app, mount, serveRoute } = await startFeature();
  mount(declared, () => Promise.resolve());
  for (const path of ["/page", "/files/a.js"])
    serveRoute({ method: "GET", path }, async (_request, reply) => reply.send("here"));
  expect((await app.inject("/api/v1/declared")).statusCode).toBe(200);
  expect((await app.inject("/files/a.js")).body).toBe("here");
});

test("a feature that mounts an endpoint outside the table stops the start, and the message names it", async () => {
  const { mount } = await startFeature();
  const undeclared = endpoint({ ...declared, method: "POST", path: "/api/v1/debug" });
  expect(() => mount(undeclared, () => Promise.resolve())).toThrow(
    "POST /api/v1/debug is in neither the table of endpoints nor the list of public routes.",
  );
});

test.each(["/debug", "/page/more", "/filesystem", "/files"])(
  "a feature that serves the undeclared route %s stops the start, and the message names it",
  async (path) => {
    const { serveRoute } = await startFeature();
    expect(() => serveRoute({ method: "GET", path }, async (_request, reply) => reply.send("here"))).toThrow(
      `GET ${path} is in neither the table of endpoints nor the list of public routes.`,
    );
  },
);

test("an undeclared route that takes a form stops the start too", async () => {
  const { app, serveRoute } = await startFeature();
  serveRoute({ method: "POST", path: "/page", takesForm: true }, async (_request, reply) =>
    reply.send("here"),
  );
  await expect(app.ready()).rejects.toThrow("POST /page is in neither");
});

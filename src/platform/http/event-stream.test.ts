import { systemClock } from "#platform/clock.ts";
import { connect, type AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createEventStreams, type EventStream } from "#platform/http/event-stream.ts";
import { createHttpServer } from "#platform/http/server.ts";
import { systemIds } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";

/** A stream to a client that never reads from it, and the errors of its connection. */
async function openStream(method = "GET") {
  const web = await createHttpServer({
    clock: systemClock,
    log: createLog("silent"),
    ids: systemIds,
    https: false,
    proxies: 0,
  });
  const openEventStream = createEventStreams(8, systemClock);
  const errors: unknown[] = [];
  const opened = new Promise<EventStream>((resolve) => {
    web.get("/changes", (_request, reply) => {
      reply.raw.on("error", (error) => errors.push(error));
      resolve(openEventStream(reply, "one session"));
      return reply;
    });
  });
  await web.listen({ port: 0, host: "localhost" });
  const { port } = web.server.address() as AddressInfo;
  const client = connect(port, "localhost").on("error", () => undefined);
  client.pause().write(`${method} /changes HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  onTestFinished(async () => {
    client.destroy();
    await web.close();
  });
  return { stream: await opened, errors };
}

test("a change that arrives while a stream ends is not written after its end, which would crash the process", async () => {
  const { stream, errors } = await openStream();
  stream.close();
  for (const realmId of ["1", "2"]) stream.send("change", { realm_id: realmId });
  await new Promise<void>((resolve) => stream.onClose(resolve));
  expect(errors).toEqual([]);
});

test("a client that reads nothing is cut off before its backlog fills the memory", async () => {
  const { stream } = await openStream();
  const text = "x".repeat(10_000);
  let sent = 0;
  for (; sent < 10_000 && !stream.isClosed(); sent += 1) {
    stream.send("change", text);
    await setImmediate();
  }
  expect(stream.isClosed()).toBe(true);
  expect(sent).toBeGreaterThan(1);
});

test("a HEAD request to a stream ends with its headers, and holds none of the session's streams", async () => {
  const { stream } = await openStream("HEAD");
  await new Promise<void>((resolve) => stream.onClose(resolve));
  expect(stream.isClosed()).toBe(true);
});

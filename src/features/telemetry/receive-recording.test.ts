import { randomBytes, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { readList, type ListRow } from "#features/admin/lists/contract.ts";
import { playRecording, readRecording } from "#features/telemetry/contract.ts";
import { MAX_RECORDINGS_PER_USER, RECORDED_EVENTS, RECORDING_BYTES } from "#features/telemetry/limits.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";
import { executeSystemRun } from "../../../test/support/system-runs.ts";

const newId = () => randomUUID().replaceAll("-", "");

const makeRecording = (more: object = {}) => ({
  id: newId(),
  user: { username: "olive", name: "Olive Owner", email: "owner@acme.example" },
  page: "/app/",
  release: "dockside@7",
  events: [4, 2, 3].map((type, index) => ({
    type,
    timestamp: Date.now() - 60_000 + index * 20_000,
    data: { href: "https://dockside.example/app/" },
  })),
  ...more,
});

const upload = (app: TestApp, recording: unknown, pack = gzipSync, browser = app.browser()) =>
  browser.request("/telemetry/recordings", {
    method: "POST",
    body: new Uint8Array(pack(JSON.stringify(recording))),
  });

async function openAdmin(app: TestApp) {
  const admin = app.browser();
  await admin.signIn("platform@dockside.example");
  const list = async () =>
    (
      (await admin.call(readList, { params: { list: "recordings" } })).json() as {
        rows: ListRow<"recordings">[];
      }
    ).rows.map(({ key, ...row }) => ({ id: key.replaceAll("-", ""), ...row }));
  const read = (id: string) => admin.call(readRecording, { params: { recording_id: id } });
  const play = (id: string) => admin.call(playRecording, { params: { recording_id: id } });
  return { list, read, play };
}

test("GEN-10 AP-32 a page's recording is kept once, and operators list it and read its events", async () => {
  const app = await startApp({ worker: false });
  const recordings = [makeRecording(), makeRecording({ user: null, page: "/label/?id=7" }), makeRecording()];
  for (const recording of [...recordings, recordings[0]])
    expect((await upload(app, recording)).status).toBe(200);
  const admin = await openAdmin(app);
  const listed = await admin.list();
  expect(listed.map(({ id }) => id).toSorted()).toEqual(recordings.map(({ id }) => id).toSorted());
  expect(listed.find(({ id }) => id === recordings[1]!.id)).toEqual({
    id: recordings[1]!.id,
    page: "/label/",
    release: "dockside@7",
    user: null,
    started_at: new Date(recordings[1]!.events[0]!.timestamp).toISOString(),
    ended_at: new Date(recordings[1]!.events[2]!.timestamp).toISOString(),
    events: 3,
    error: null,
  });
  expect((await admin.read(recordings[0]!.id)).json()).toEqual({ events: recordings[0]!.events });
  expect((await admin.read(newId())).status).toBe(404);
});

test("UO-16 a recording's user is the one of the session that sent it, and guests' recordings push out only those of guests", async () => {
  const app = await startApp({ worker: false, limits: { reportsPerMinute: 1_000 } });
  const clerk = app.browser();
  await clerk.signIn("clerk@acme.example");
  const [users, guests] = [makeRecording(), makeRecording()];
  await upload(app, users, gzipSync, clerk);
  await upload(app, guests);
  const admin = await openAdmin(app);
  expect(Object.fromEntries((await admin.list()).map(({ id, user }) => [id, user]))).toEqual({
    [users.id]: "clerk@acme.example",
    [guests.id]: null,
  });
  const flood = (count: number, bytes: number) =>
    sql`insert into recording select gen_random_uuid(), page, release, user_email, received_at + interval '1 second',
      started_at, ended_at, event_count, ${Buffer.alloc(bytes)}
      from recording, generate_series(1, ${count}::int) where id = ${guests.id}::uuid`.execute(app.db);
  const measure = async () =>
    (
      await sql<{ count: number; bytes: number }>`select count(*)::int as count,
        sum(octet_length(events))::int as bytes from recording where user_email is null`.execute(app.db)
    ).rows[0];
  await flood(200, 10);
  await upload(app, makeRecording());
  expect((await measure())?.count).toBe(MAX_RECORDINGS_PER_USER.count);
  await flood(15, 2_000_000);
  await upload(app, makeRecording());
  expect((await measure())?.bytes).toBeLessThanOrEqual(MAX_RECORDINGS_PER_USER.bytes);
  expect((await admin.read(users.id)).status).toBe(200);
});

test("UO-16 a recording keeps no address that the browser that plays it would ask for, and its page asks for none", async () => {
  const app = await startApp({ worker: false });
  const addresses = ["src", "SRC", "srcset", "poster", "href", "data", "xlink:href", "rr_src", "rr_dataURL"];
  const attributes = Object.fromEntries(addresses.map((name) => [name, "/logout/"]));
  const events = [
    { type: 4, timestamp: 1, data: { href: "https://dockside.example/app/", width: 1, height: 1 } },
    {
      type: 2,
      timestamp: 2,
      data: {
        node: { type: 2, tagName: "img", attributes: { ...attributes, class: "kept" }, childNodes: [] },
      },
    },
    { type: 3, timestamp: 3, data: { source: 0, attributes: [{ id: 5, attributes }] } },
  ];
  const recording = makeRecording({ events });
  expect((await upload(app, recording)).status).toBe(200);
  const admin = await openAdmin(app);
  const text = JSON.stringify((await admin.read(recording.id)).json());
  expect([text.includes("/logout/"), text.includes('"class":"kept"')]).toEqual([false, true]);
  const played = await admin.play(recording.id);
  expect(played.headers.get("content-security-policy")).toContain("img-src data:;");
});

test("RP-13 secrets in a recording are replaced before it is stored", async () => {
  const app = await startApp({ worker: false });
  const recording = makeRecording();
  recording.events[2]!.data.href = "https://dockside.example/x?code=abc123&client_secret=pi_1_secret_9";
  await upload(app, recording);
  const admin = await openAdmin(app);
  const text = JSON.stringify((await admin.read(recording.id)).json());
  expect(text).toContain("code=[secret]");
  expect(text).not.toMatch(/abc123|secret_9/);
});

test("a recording whose texts have characters that can't be stored is kept with U+FFFD in their place", async () => {
  const app = await startApp({ worker: false });
  const odd = { page: "/a\0pp/", release: "7\0" };
  expect((await upload(app, makeRecording(odd))).status).toBe(200);
  const admin = await openAdmin(app);
  expect(await admin.list()).toMatchObject([{ page: "/a\ufffdpp/", release: "7\ufffd" }]);
});

test("a recording that is not compressed, unpacks to too much, has too many events, or isn't a recording is refused", async () => {
  const app = await startApp({ worker: false });
  const events = Array.from({ length: RECORDED_EVENTS + 1 }, () => ({
    type: 3,
    timestamp: Date.now(),
    data: null,
  }));
  const cases: [unknown, typeof gzipSync?][] = [
    [makeRecording(), ((text: string) => Buffer.from(text)) as unknown as typeof gzipSync],
    [makeRecording({ events })],
    [makeRecording({ events: [] })],
    [makeRecording({ id: "../x" })],
    [{ ...makeRecording(), padding: "x".repeat(17 * 1024 * 1024) }],
    ["no recording"],
  ];
  for (const [recording, pack] of cases) {
    const reply = await upload(app, recording, pack);
    expect([reply.status, reply.json()]).toEqual([
      400,
      expect.objectContaining({ code: "invalid_recording" }),
    ]);
  }
  const large = await app
    .browser()
    .request("/telemetry/recordings", { method: "POST", body: new Uint8Array(RECORDING_BYTES + 1) });
  expect(large.status).toBe(413);
  expect(await (await openAdmin(app)).list()).toEqual([]);
});

test.each([
  ["deep", `${"[".repeat(7_000_000)}${"]".repeat(7_000_000)}`],
  ["of many values", `[${"0,".repeat(7_000_000)}0]`],
  ["of many names", `{${Array.from({ length: 500_000 }, (_, at) => `"${at}":0`).join(",")}}`],
  ["with one large text", `"${"a-".repeat(7_000_000)}="`],
])("UO-16 a recording that is %s once it is unpacked delays no other call", async (_name, data) => {
  const app = await startApp({ worker: false });
  const text = JSON.stringify(makeRecording({ events: [{ type: 3, timestamp: 1, data: "DATA" }] }));
  const body = new Uint8Array(gzipSync(text.replace('"DATA"', () => data)));
  // The first call compiles what it uses.
  await upload(app, makeRecording());
  const before = process.threadCpuUsage();
  const reply = await app.browser().request("/telemetry/recordings", { method: "POST", body });
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(200);
  expect([reply.status, reply.json()]).toEqual([400, expect.objectContaining({ code: "invalid_recording" })]);
});

test("UO-16 a recording of the full size is read in a thread, so that it delays no other call", async () => {
  const app = await startApp({ worker: false });
  const data = { text: randomBytes(1_200_000).toString("hex"), nodes: Array(90_000).fill({ a: 0, b: 0 }) };
  const body = new Uint8Array(
    gzipSync(JSON.stringify(makeRecording({ events: [{ type: 3, timestamp: 1, data }] }))),
  );
  await upload(app, makeRecording());
  const [before, allBefore] = [process.threadCpuUsage(), process.cpuUsage()];
  const reply = await app.browser().request("/telemetry/recordings", { method: "POST", body });
  const [own, all] = [process.threadCpuUsage(before), process.cpuUsage(allBefore)];
  expect(reply.status).toBe(200);
  // Share of the CPU time of all threads: a busy machine's milliseconds differ.
  expect((own.user + own.system) / (all.user + all.system)).toBeLessThan(0.5);
});

test("UO-16 AP-33 a call without a body is refused", async () => {
  const app = await startApp({ worker: false });
  for (const [path, code] of [
    ["errors", "invalid_envelope"],
    ["recordings", "invalid_recording"],
  ]) {
    const reply = await app.browser().request(`/telemetry/${path}`, { method: "POST" });
    expect([reply.status, reply.json()]).toEqual([400, expect.objectContaining({ code })]);
  }
});

test("recordings are removed after 14 days", async () => {
  const app = await startApp({ worker: false });
  const [old, young] = [makeRecording(), makeRecording()];
  await upload(app, old);
  await upload(app, young);
  await sql`update recording set received_at = now() - interval '14 days 1 minute'
    where id = ${old.id}::uuid`.execute(app.db);
  await executeSystemRun(app, "system.sweep");
  expect((await (await openAdmin(app)).list()).map(({ id }) => id)).toEqual([young.id]);
});

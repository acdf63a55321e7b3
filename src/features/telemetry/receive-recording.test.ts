import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { readList, type ListRow } from "#features/admin/lists/contract.ts";
import { readRecording } from "#features/telemetry/contract.ts";
import { RECORDED_EVENTS, RECORDING_BYTES } from "#features/telemetry/limits.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";
import { doSystemRun } from "../../../test/support/system-runs.ts";

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

const upload = (app: TestApp, recording: unknown, pack = gzipSync) =>
  app.browser().request("/telemetry/recordings", {
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
  return { list, read };
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
  const odd = { page: "/a\0pp/", release: "7\0", user: { email: "owner\0@acme.example" } };
  expect((await upload(app, makeRecording(odd))).status).toBe(200);
  const admin = await openAdmin(app);
  expect(await admin.list()).toMatchObject([
    { page: "/a\ufffdpp/", release: "7\ufffd", user: "owner\ufffd@acme.example" },
  ]);
});

test("a recording that is not compressed, unpacks to too much, has too many events, or is no recording is refused", async () => {
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
  await doSystemRun(app, "system.sweep");
  expect((await (await openAdmin(app)).list()).map(({ id }) => id)).toEqual([young.id]);
});

import {
  access,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { cancelOrder, listOpenOrders, type OpenOrders } from "#features/shipping/contract.ts";
import * as folders from "#features/orders/folders/contract.ts";
import type { OrderFolder } from "#features/orders/folders/contract.ts";
import { FAULTS } from "#features/orders/folders/sentences.ts";
import { takeAgainSince } from "#features/orders/folders/store.ts";
import { MAX_FILE_BYTES } from "#features/sheets/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { MAX_FILES } from "#integrations/folders/folder.ts";
import { openLocalFolder } from "#integrations/folders/local-folder.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { setGroups } from "../../../../test/support/members.ts";
import { startSftp } from "../../../../test/support/sftp-server.ts";
import { startApp, type TestApp } from "../../../../test/support/start-app.ts";
import { executeSystemRun } from "../../../../test/support/system-runs.ts";

const ABOUT = { query: { realm_id: ACME } };
const ENV = { SFTP_PRIVATE_HOSTS: "true", SFTP_ANSWER_MS: "1500" };

const oneOrder = (number: number) => sampleFile({ sets: [sampleOrder(number)] });

async function start(env: Record<string, string> = ENV) {
  const app = await startApp({ worker: false, env, mail: true });
  const browser = await app.owner(ACME);
  await setGroups(app.db, ["app", "brainchild", "admin"]);
  const listOpen = async () => ((await browser.call(listOpenOrders, ABOUT)).json() as OpenOrders).open;
  const open = async () => (await listOpen()).map(({ po_number }) => po_number);
  /** For each open order: true if a change of it waits. */
  const waiting = async () => (await listOpen()).map((order) => order.waiting !== null);
  const folder = async () =>
    ((await browser.call(folders.readFolder, ABOUT)).json() as { folder: OrderFolder | null }).folder;
  return { app, browser, open, waiting, folder };
}

/** Looks once, whatever the time. */
async function poll(app: TestApp): Promise<void> {
  await sql`update order_folder set next_at = now() - interval '1 second'`.execute(app.db);
  await executeSystemRun(app, "orders.poll-folders");
}

/** Acme with an SFTP account whose key the admin has confirmed. */
async function startWithSftp() {
  const desk = await start();
  const sftp = await startSftp();
  const server = { host: "127.0.0.1", port: sftp.port };
  const key = await desk.browser.call(folders.readServerKey, { ...ABOUT, json: server });
  expect(key.status, key.text).toBe(200);
  const { host_key } = key.json() as { host_key: string };
  const account = { kind: "sftp", ...server, user: "acme", host_key };
  const save = (more: object = {}) =>
    desk.browser.call(folders.saveFolder, { ...ABOUT, json: { ...account, ...more } });
  const saved = await save({ password: "secret" });
  expect(saved.status, saved.text).toBe(200);
  return { ...desk, sftp, save, account };
}

const mails = async ({ db }: TestApp) =>
  (await sql<{ kind: string }>`select kind from notice_mail where kind = 'order_folder_stopped'`.execute(db))
    .rows.length;

test("OI-09 a file on an SFTP account is taken once, when it has stopped growing, and moved to done or refused, with its 997 in out", async () => {
  const { app, sftp, open, folder } = await startWithSftp();
  sftp.put("in/orders.edi", oneOrder(1).slice(0, 200), 10);
  await poll(app);
  sftp.put("in/orders.edi", oneOrder(1), 20);
  await poll(app);
  expect([await open(), sftp.paths()]).toEqual([[], ["in/orders.edi"]]);
  await poll(app);
  expect(await open()).toEqual(["80001"]);
  expect(sftp.paths()).toEqual(["in/done/orders.edi", expect.stringMatching(/^out\/997-[\da-f]{16}\.edi$/)]);
  expect(sftp.text(sftp.paths()[1] ?? "")).toContain("AK9*A*1*1*1");
  expect(await folder()).toMatchObject({ state: "active", problem: "", host: "127.0.0.1" });
  sftp.put("in/bad.edi", sampleFile({ sets: [sampleOrder(2)], end: "" }));
  sftp.put("in/photo.jpg", "no orders");
  for (const _look of [1, 2]) await poll(app);
  expect(sftp.paths().filter((path) => path.startsWith("in/"))).toEqual([
    "in/done/orders.edi",
    "in/refused/bad.edi",
    "in/refused/photo.jpg",
  ]);
  // A file that its sender still writes.
  sftp.put("in/more.edi.part", oneOrder(3));
  for (const _look of [1, 2]) await poll(app);
  expect([await open(), sftp.paths().includes("in/more.edi.part")]).toEqual([["80001"], true]);
  const { rows } = await sql<{
    channel: string;
    action: string;
  }>`select d.channel, a.action from order_document d
    join audit_entry a on a.after ->> 'file' = d.file_name order by d.received_at`.execute(app.db);
  expect(rows).toEqual([1, 2, 3].map(() => ({ channel: "folder", action: "orders.add" })));
});

test("OI-13 (by SFTP) notices that are due are sent through the company's folder, once each", async () => {
  const { app, browser, sftp, open } = await startWithSftp();
  sftp.put("in/orders.edi", sampleFile({ sets: [1, 2, 3].map((number) => sampleOrder(number)) }));
  for (const _look of [1, 2]) await poll(app);
  for (const po_number of ["80001", "80003"])
    await browser.call(cancelOrder, { query: { ...ABOUT.query, customer: "retailer", po_number } });
  await poll(app);
  const notices = () => sftp.paths().filter((path) => path.startsWith("out/") && !path.includes("997-"));
  expect([await open(), notices()]).toEqual([["80002"], []]);
  await sql`update order_notice set due_at = now() - interval '1 minute'`.execute(app.db);
  for (const _look of [1, 2, 3]) await poll(app);
  expect(notices()).toHaveLength(2);
  const numbers = notices().map((path) => /PRF\*(\d+)/.exec(sftp.text(path) ?? "")?.[1]);
  expect(new Set(numbers)).toEqual(new Set(["80001", "80003"]));
});

test("OI-09 a file that was taken before a crash is only answered and moved", async () => {
  const { app, sftp, open } = await startWithSftp();
  for (const _time of [1, 2]) {
    sftp.put("in/orders.edi", oneOrder(1));
    for (const _look of [1, 2]) await poll(app);
  }
  expect(await open()).toEqual(["80001"]);
  expect((await sql`select from order_document`.execute(app.db)).rows).toHaveLength(1);
  expect(sftp.paths().filter((path) => path.startsWith("out/"))).toHaveLength(1);
});

/** A change of sample order 1, in a file of its own. */
const CHANGE = sampleFile({
  sets: [["ST*860*0001", "BCH*04*DS*80001***20261126", "POC*1*QD*1*0*EA*12.50", "SE*4*0001"]],
  group: "GS*PC*RETAILER*SUPPLIER*20261126*0915*5*X*004060",
});

test("OI-09 of several files the oldest is taken first, also of more than are taken in one look, and by a restored database too", async () => {
  const { app, sftp, waiting } = await startWithSftp();
  sftp.put("in/a-change.edi", CHANGE, 2_000);
  for (let number = 0; number < MAX_FILES; number += 1) sftp.put(`in/${number}.edi.part`, "", 3_000);
  sftp.put("in/b-order.edi", oneOrder(1), 1_000);
  for (const _look of [1, 2]) await poll(app);
  expect(await waiting()).toEqual([true]);
  app.clock.advance(5);
  const since = app.clock.now();
  // Taken within one second.
  sftp.put("in/b-order.edi", oneOrder(2), 1_000);
  for (const _look of [1, 2]) await poll(app);
  app.clock.advance(5);
  sftp.put("in/a-change.edi", CHANGE.replace("80001", "80002"), 1_000);
  for (const _look of [1, 2]) await poll(app);
  expect(await waiting()).toEqual([true, true]);
  await sql`truncate retail_order, order_document cascade`.execute(app.db);
  await takeAgainSince(app.db, since);
  await poll(app);
  expect(await waiting()).toEqual([true]);
  const base = await mkdtemp(join(tmpdir(), "order-folders-"));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const local = await openLocalFolder(join(base, ACME));
  for (const [name, time] of Object.entries({ a: 30, b: 10, d: 20, c: 20 })) {
    await writeFile(join(base, ACME, "in", name), "");
    await utimes(join(base, ACME, "in", name), time, time);
  }
  expect((await local.list()).map(({ name }) => name)).toEqual(["b", "c", "d", "a"]);
});

test("OI-09 a refused file that is put there again is read and answered again; one that couldn't be moved is only moved", async () => {
  const { app, sftp, open, waiting } = await startWithSftp();
  const look = async () => {
    app.clock.advance(1_000);
    await poll(app);
  };
  const said = () =>
    sftp
      .paths()
      .flatMap((path) => (path.startsWith("out/") ? (sftp.text(path)?.match(/AK5\*./g) ?? []) : []))
      .toSorted();
  const counts = async () => [
    (await sql`select from order_document`.execute(app.db)).rows.length,
    sftp.paths().filter((path) => path.startsWith("out/")).length,
  ];
  sftp.put("in/change.edi", CHANGE, 2);
  for (const _look of [1, 2]) await look();
  expect([await counts(), sftp.paths()[0]]).toEqual([[1, 1], "in/refused/change.edi"]);
  expect(said()).toEqual(["AK5*R"]);
  sftp.put("in/order.edi", oneOrder(1));
  sftp.put("in/change.edi", CHANGE, 2);
  for (const _look of [1, 2]) await look();
  expect([await open(), await waiting(), await counts()]).toEqual([["80001"], [true], [3, 3]]);
  expect(said()).toEqual(["AK5*A", "AK5*A", "AK5*R"]);
  sftp.put("in/bad.edi", sampleFile({ sets: [sampleOrder(2)], end: "" }));
  await look();
  sftp.state.fault = "no_rename";
  for (const _look of [1, 2]) await look();
  expect(sftp.paths()).toContain("in/bad.edi");
  sftp.state.fault = null;
  await look();
  expect([await counts(), sftp.paths().slice(0, 4)]).toEqual([
    [4, 4],
    ["in/done/change.edi", "in/done/order.edi", "in/refused/bad.edi", "in/refused/change.edi"],
  ]);
});

test("OI-09 a file that fails by a fault of ours holds up no other, and is taken once the fault is fixed", async () => {
  const { app, sftp, open } = await startWithSftp();
  await sql`alter table order_document add constraint fault check (file_name <> 'a.edi')`.execute(app.db);
  sftp.put("in/a.edi", oneOrder(1));
  sftp.put("in/b.edi", oneOrder(2));
  for (const _look of [1, 2, 3]) await poll(app);
  expect(await open()).toEqual(["80002"]);
  expect(sftp.paths().filter((path) => path.startsWith("in/") && path.endsWith("/a.edi"))).toEqual([
    "in/a.edi",
  ]);
  await sql`alter table order_document drop constraint fault`.execute(app.db);
  await poll(app);
  expect(await open()).toHaveLength(2);
});

test("OI-09 names with separators, dots or control characters are never used in a path", async () => {
  const { app, sftp, folder } = await startWithSftp();
  sftp.listedToo.push(
    "../secret.edi",
    "..",
    "/etc/passwd",
    "a\u0000b",
    "a\nb",
    "a\\b",
    ".hidden",
    "x".repeat(201),
    "",
  );
  sftp.put("secret.edi", oneOrder(1));
  for (const _look of [1, 2, 3]) await poll(app);
  expect([sftp.state.reads, sftp.paths()]).toEqual([0, ["secret.edi"]]);
  expect(await folder()).toMatchObject({ state: "active" });
});

test("OI-10 the server's key is pinned at setup: if it changes, nothing is sent, polling stops, and the admin is mailed once", async () => {
  const { app, sftp, save, folder, browser, account } = await startWithSftp();
  const { signIns } = sftp.state;
  await sftp.changeKey();
  sftp.put("in/orders.edi", oneOrder(1));
  for (const _look of [1, 2, 3]) await poll(app);
  expect(await folder()).toMatchObject({
    state: "stopped",
    problem: expect.stringMatching(/^The server's key has changed since it was confirmed\./) as string,
  });
  expect([sftp.state.signIns, await mails(app)]).toEqual([signIns, 1]);
  const again = await save();
  expect([again.status, (again.json() as { code: string }).code]).toEqual([409, "folder_host_key_changed"]);
  const key = await browser.call(folders.readServerKey, {
    ...ABOUT,
    json: { host: account.host, port: account.port },
  });
  const { host_key } = key.json() as { host_key: string };
  expect(host_key).not.toBe(account.host_key);
  expect((await save({ host_key })).status).toBe(200);
  for (const _look of [1, 2]) await poll(app);
  expect(sftp.paths()).toContain("in/done/orders.edi");
});

test.each(["other_size", "endless_read"] as const)(
  "OI-09 a server that lies about sizes (%s) stops the polling, and no part of the file is taken",
  async (fault) => {
    const { app, sftp, folder, open } = await startWithSftp();
    sftp.put("in/orders.edi", oneOrder(1));
    sftp.state.fault = fault;
    for (const _look of [1, 2, 3]) await poll(app);
    expect(await folder()).toMatchObject({
      state: "stopped",
      problem: "The server's files have different sizes than it lists. Ask its operator to check them.",
    });
    expect([await open(), await mails(app)]).toEqual([[], 1]);
    expect(sftp.paths()).toEqual(["in/orders.edi"]);
  },
);

test.each(["hang_on_connect", "hang_on_list", "hang_on_read"] as const)(
  "OI-09 a server that hangs (%s) is given up within seconds, retried at growing intervals, and no longer after six failures",
  async (fault) => {
    const { app, sftp, folder } = await startWithSftp();
    sftp.put("in/orders.edi", oneOrder(1));
    await poll(app);
    sftp.state.fault = fault;
    await poll(app);
    expect(await folder()).toMatchObject({ state: "failing", problem: "The server didn't answer in time." });
    const { rows } = await sql<{ waits: boolean }>`select next_at > now() + interval '30 seconds' as waits
      from order_folder`.execute(app.db);
    expect(rows).toEqual([{ waits: true }]);
    await sql`update order_folder set failures = 5`.execute(app.db);
    await poll(app);
    expect([(await folder())?.state, await mails(app)]).toEqual(["stopped", 1]);
    sftp.state.fault = null;
    await poll(app);
    expect(sftp.paths()).toEqual(["in/orders.edi"]);
  },
);

test("OI-09 secrets are sealed for their server and user, never shown, and wrong ones are refused at once", async () => {
  const { app, save, browser } = await startWithSftp();
  expect((await browser.call(folders.readFolder, ABOUT)).text).not.toContain("secret");
  const { rows } = await sql<{ text: string }>`select f::text as text from order_folder f
    union all select a::text from audit_entry a`.execute(app.db);
  expect(rows.map(({ text }) => text).join("\n")).not.toMatch(/"secret"|,secret,/);
  const code = async (more: object) => ((await save(more)).json() as { code: string }).code;
  expect(await code({ user: "other" })).toBe("secret_missing");
  expect(await code({ password: "wrong" })).toBe("folder_sign_in_refused");
  expect(await code({ password: "secret", folder_in: "nowhere" })).toBe("folder_folder_refused");
  expect(await code({ password: "secret", folder_in: "../in" })).toBe("invalid_request");
  expect((await save()).status).toBe(200);
  expect((await browser.call(folders.removeFolder, ABOUT)).status).toBe(200);
  expect(await code({})).toBe("secret_missing");
});

test("OI-09 a way to sign in that has nothing stored isn't saved without its secret", async () => {
  const { save, folder } = await startWithSftp();
  const refused = await save({ auth: "key" });
  expect([refused.status, refused.json()]).toEqual([
    400,
    expect.objectContaining({
      code: "secret_missing",
      detail: "Enter the private key of this account. Only a password is stored.",
    }),
  ]);
  expect((await folder())?.auth).toBe("password");
  expect((await save({ auth: "password" })).status).toBe(200);
});

test("OI-09 servers in private networks are refused unless the operator allows them", async () => {
  const { browser } = await start({ SFTP_ANSWER_MS: "1500" });
  for (const host of ["127.0.0.1", "localhost", "::1", "169.254.169.254", "10.0.0.1", "::ffff:127.0.0.1"]) {
    const reply = await browser.call(folders.readServerKey, { ...ABOUT, json: { host } });
    expect([host, (reply.json() as { code: string }).code]).toEqual([host, "folder_address_not_allowed"]);
  }
});

test("OI-09 a folder on the operator's machine belongs to one company, by its id, and links out of it are not followed", async () => {
  const base = await mkdtemp(join(tmpdir(), "order-folders-"));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const { app, browser, open } = await start({ ORDER_FOLDERS: base });
  const saved = await browser.call(folders.saveFolder, { ...ABOUT, json: { kind: "local" } });
  expect(saved.status, saved.text).toBe(200);
  expect(await readdir(base)).toEqual([ACME]);
  const at = (...parts: string[]) => join(base, ACME, ...parts);
  await writeFile(at("in/orders.edi"), oneOrder(1));
  await writeFile(join(base, "other.edi"), oneOrder(2));
  await symlink(join(base, "other.edi"), at("in/link.edi"));
  for (const _look of [1, 2]) await poll(app);
  expect(await open()).toEqual(["80001"]);
  expect(await readdir(at("in/done"))).toEqual([expect.stringMatching(/Z-orders\.edi$/)]);
  expect(await readdir(at("out"))).toEqual([expect.stringMatching(/^997-/)]);
  await access(at("in/link.edi"));
  const other = await app.owner(BAY, "platform@dockside.example");
  expect((await other.call(folders.readFolder, { query: { realm_id: BAY } })).json()).toEqual({
    folder: null,
    can_be_local: true,
  });
});

test("OI-09 a file waits in the folder while the company has no space for it, and Settings says why", async () => {
  const base = await mkdtemp(join(tmpdir(), "dockside-folders-"));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const { app, browser, open, folder } = await start({ ORDER_FOLDERS: base, STORAGE_ORDERS_MB: "1" });
  await browser.call(folders.saveFolder, { ...ABOUT, json: { kind: "local" } });
  const at = (...parts: string[]) => join(base, ACME, "in", ...parts);
  await writeFile(at("first.edi"), oneOrder(1));
  for (const _look of [1, 2]) await poll(app);
  await sql`update order_document set content = decode(repeat('00', 1048576), 'hex')`.execute(app.db);
  await writeFile(at("second.edi"), oneOrder(2));
  for (const _look of [1, 2]) await poll(app);
  expect([await open(), await folder()]).toMatchObject([
    ["80001"],
    { state: "failing", problem: FAULTS.no_space },
  ]);
  await access(at("second.edi"));
  await sql`update order_document set content = ''`.execute(app.db);
  for (const _look of [1, 2]) await poll(app);
  expect([await open(), await folder()]).toMatchObject([["80001", "80002"], { state: "active" }]);
});

test("OI-09 UO-15 a file that is too large, has no orders or can't be read is moved to refused, with the reason", async () => {
  const base = await mkdtemp(join(tmpdir(), "dockside-folders-"));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const { app, browser, folder } = await start({ ORDER_FOLDERS: base });
  await browser.call(folders.saveFolder, { ...ABOUT, json: { kind: "local" } });
  const at = (...parts: string[]) => join(base, ACME, "in", ...parts);
  await writeFile(at("a-large.edi"), "");
  await truncate(at("a-large.edi"), MAX_FILE_BYTES + 1);
  await writeFile(
    at("b-empty.edi"),
    sampleFile({ sets: [], group: "", groupEnd: "", end: "IEA*0*000000017" }),
  );
  await writeFile(at("c-odd.csv"), "no,header\n1,2\n");
  for (const _look of [1, 2]) await poll(app);
  expect(await readdir(at("refused"))).toHaveLength(3);
  const { rows } = await sql<{ name: string; problem: string }>`select file_name as name,
    results -> 0 -> 'problems' ->> 0 as problem from order_document order by name`.execute(app.db);
  expect(rows).toEqual([
    { name: "a-large.edi", problem: `The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB.` },
    { name: "b-empty.edi", problem: "The file has no orders." },
    { name: "c-odd.csv", problem: expect.stringMatching(/column|header/i) as string },
  ]);
  expect(await folder()).toMatchObject({ state: "active" });
});

test("OI-09 folders on the machine aren't offered unless the operator enables them", async () => {
  const { browser } = await start();
  const reply = await browser.call(folders.saveFolder, { ...ABOUT, json: { kind: "local" } });
  expect([reply.status, (reply.json() as { code: string }).code]).toEqual([400, "no_local_folders"]);
});

test("OI-09 a folder on the operator's machine that is replaced by a link is refused with a sentence, and nothing is read or written behind it", async () => {
  const base = await mkdtemp(join(tmpdir(), "order-folders-"));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const { app, browser, open, folder } = await start({ ORDER_FOLDERS: join(base, "offered") });
  const save = () => browser.call(folders.saveFolder, { ...ABOUT, json: { kind: "local" } });
  expect((await save()).status).toBe(200);
  const [own, elsewhere] = [join(base, "offered", ACME), join(base, "elsewhere")];
  // The same folders elsewhere, so that only the link differs.
  await cp(own, elsewhere, { recursive: true });
  await writeFile(join(own, "in/orders.edi"), oneOrder(1));
  await writeFile(join(elsewhere, "in/orders.edi"), oneOrder(2));
  const list = () => readdir(elsewhere, { recursive: true });
  const before = await list();
  const problem = FAULTS.linked;
  for (const name of ["", "in", "in/done", "in/refused", "out"]) {
    await rename(join(own, name), join(base, "aside"));
    await symlink(join(elsewhere, name), join(own, name));
    for (const _look of [1, 2]) await poll(app);
    expect([name, await open(), await folder()]).toMatchObject([name, [], { state: "failing", problem }]);
    const saved = await save();
    expect([name, saved.status, saved.json()]).toMatchObject([name, 409, { detail: problem }]);
    expect(await list()).toEqual(before);
    await rm(join(own, name));
    await rename(join(base, "aside"), join(own, name));
    expect((await save()).status).toBe(200);
  }
  for (const _look of [1, 2]) await poll(app);
  expect(await open()).toEqual(["80001"]);
});

test("OI-09 a file left unfinished as a link is replaced and not written through", async () => {
  const base = await mkdtemp(join(tmpdir(), "order-folders-"));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const folder = await openLocalFolder(join(base, ACME));
  await writeFile(join(base, "other.txt"), "other");
  await symlink(join(base, "other.txt"), join(base, ACME, "out/.997-1.edi.part"));
  await symlink(join(base, "nowhere.txt"), join(base, ACME, "out/997-1.edi"));
  await expect(folder.send("997-1.edi", Buffer.from("ISA"))).rejects.toMatchObject({ fault: "linked" });
  await rm(join(base, ACME, "out/997-1.edi"));
  await folder.send("997-1.edi", Buffer.from("ISA"));
  expect(await readFile(join(base, "other.txt"), "utf8")).toBe("other");
  expect(await readFile(join(base, ACME, "out/997-1.edi"), "utf8")).toBe("ISA");
});

test("OI-09 an order of a folder's file that can't be used is refused in its 997, even among good ones, and mailed", async () => {
  const { app, sftp, open } = await startWithSftp();
  const withoutPlace = sampleOrder(2)
    .filter((segment) => !/^N[134]\*/.test(segment))
    .map((segment) => segment.replace("SE*17", "SE*14"));
  const badZip = sampleOrder(3).map((segment) => segment.replace("89506", "895"));
  sftp.put("in/orders.edi", sampleFile({ sets: [sampleOrder(1), withoutPlace, badZip] }));
  sftp.put("in/bad.edi", sampleFile({ sets: [badZip] }));
  for (const _look of [1, 2, 3]) await poll(app);
  expect(await open()).toEqual(["80001"]);
  const replies = sftp
    .paths()
    .filter((path) => path.startsWith("out/"))
    .map((path) => sftp.text(path)?.match(/AK[259]\*[^~]*/g));
  expect(replies.toSorted((a, b) => (a?.length ?? 0) - (b?.length ?? 0))).toEqual([
    ["AK2*850*0003", "AK5*R*5", "AK9*R*1*1*0"],
    ["AK2*850*0001", "AK5*A", "AK2*850*0002", "AK5*R*5", "AK2*850*0003", "AK5*R*5", "AK9*P*3*3*1"],
  ]);
  expect(sftp.paths()).toEqual(expect.arrayContaining(["in/refused/bad.edi", "in/done/orders.edi"]));
  const { rows } = await sql<{ params: { file: string; problems: string[] } }>`select params from notice_mail
    where kind = 'order_file_refused' order by params ->> 'file'`.execute(app.db);
  const zip = 'PO # 80003: The ship-to ZIP code is "895". A ZIP code has 5 or 9 digits.';
  expect(rows.map(({ params: { file, problems } }) => [file, problems])).toEqual([
    ["bad.edi", [zip]],
    ["orders.edi", expect.arrayContaining(["PO # 80002: The ship-to name is missing.", zip])],
  ]);
});

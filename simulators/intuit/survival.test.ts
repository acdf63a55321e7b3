import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ACME, BASIC, CALLBACK, invoiceBody, OLIVE } from "./test-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "intuit-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<{ url: string; kill: () => Promise<void> }> {
  const child = spawn(process.execPath, ["simulators/main.ts"], {
    env: { ...process.env, SIM_INTUIT_PORT: "0", SIM_MAIL_PORT: "0", SIM_DATA_DIR: folder },
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const kill = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { url: (JSON.parse(line.toString()) as { intuit: string }).intuit, kill };
}

const post = async (url: string, body: unknown, headers: Record<string, string> = {}) =>
  (
    await fetch(url, {
      method: "POST",
      headers: { accept: "application/json", ...headers },
      body: JSON.stringify(body),
    })
  ).json();

async function connect(url: string): Promise<string> {
  const limits = { perMinute: null, perSecond: null, batchPerMinute: null, batchPerMinuteRealm: null };
  await fetch(`${url}/_sim/companies/${ACME}`, { method: "PATCH", body: JSON.stringify({ limits }) });
  const { code } = (await post(`${url}/_sim/grants`, {
    sub: OLIVE,
    realmId: ACME,
    redirect_uri: CALLBACK,
  })) as { code: string };
  const answer = await fetch(`${url}/oauth2/v1/tokens/bearer`, {
    method: "POST",
    headers: { authorization: BASIC },
    body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: CALLBACK }),
  });
  return `Bearer ${((await answer.json()) as { access_token: string }).access_token}`;
}

type BatchAnswer = { BatchItemResponse: { Invoice?: { Id: string; DocNumber: string } }[] };

test("killed during batches, the simulator keeps every confirmed invoice, and repeats create each invoice once", async () => {
  const first = await start();
  const authorization = await connect(first.url);
  const send = (url: string, n: number) => {
    const items = Array.from({ length: 25 }, (_, k) => ({
      bId: `i${k}`,
      operation: "create",
      Invoice: invoiceBody({ DocNumber: `K-${n}-${k}` }),
    }));
    return post(
      `${url}/v3/company/${ACME}/batch?requestid=kill-${n}`,
      { BatchItemRequest: items },
      { authorization },
    ) as Promise<BatchAnswer>;
  };
  const answered = new Map<string, string>();
  const note = ({ BatchItemResponse: items }: BatchAnswer) => {
    for (const { Invoice } of items) if (Invoice) answered.set(Invoice.DocNumber, Invoice.Id);
  };
  const flood = Promise.allSettled(
    Array.from({ length: 40 }, async (_, n) => note(await send(first.url, n))),
  );
  await expect.poll(() => answered.size, { interval: 1 }).toBeGreaterThan(100);
  await first.kill();
  await flood;
  const before = new Map(answered);

  const second = await start();
  for (let n = 0; n < 40; n += 1) note(await send(second.url, n));
  expect(answered.size).toBe(1000);
  for (const [number, id] of before) expect(answered.get(number)).toBe(id);
  const count = await fetch(
    `${second.url}/v3/company/${ACME}/query?query=${encodeURIComponent("select count(*) from Invoice where DocNumber like 'K-%'")}`,
    { headers: { authorization, accept: "application/json" } },
  );
  expect(await count.json()).toMatchObject({ QueryResponse: { totalCount: 1000 } });
});

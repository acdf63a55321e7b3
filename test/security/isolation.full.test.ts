import { expect, test } from "vitest";
import { PROBLEM_MEDIA_TYPE } from "#contract/problem.ts";
import { listDevices, signOutDevices, type Device } from "#features/identity/contract.ts";
import { ENDPOINTS } from "../../src/main/endpoints.ts";
import { ACME } from "../support/intuit.ts";
import { NO_CALLER_LIMITS, startApp } from "../support/start-app.ts";
import { listCases, untriedNames, type Case } from "./isolation-cases.ts";
import { createWorld, digestAll } from "./isolation-world.ts";
import { callName } from "./walk-endpoints.ts";

const AT_ONCE = 8;
/** Headers that differ between two equal answers: the time, the connection, and the support id. */
const OWN_HEADERS = ["connection", "date", "keep-alive", "x-request-id"];

type Answer = { found: string; text: string };

async function answerTo(origin: string, { endpoint, path, headers, body }: Case): Promise<Answer> {
  const init = { method: endpoint.method, headers, ...(body === undefined ? {} : { body }) };
  const response = await fetch(new URL(path, origin), { redirect: "manual", ...init });
  if (response.headers.get("content-type")?.includes(PROBLEM_MEDIA_TYPE) !== true) {
    await response.body?.cancel();
    return { found: `${response.status}`, text: "" };
  }
  const { request_id: _own, ...problem } = (await response.json()) as Record<string, unknown>;
  const kept = [...response.headers].filter(([name]) => !OWN_HEADERS.includes(name));
  return {
    found: `${response.status} ${String(problem["code"])}`,
    text: JSON.stringify([problem, kept]).replace(/'nonce-[^']+'/, "'nonce'"),
  };
}

async function answersTo(origin: string, cases: readonly Case[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < cases.length; index = next++) {
      const example = cases[index];
      if (example) answers[index] = await answerTo(origin, example);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return answers;
}

test(
  "AP-34 RL-07 RL-08 every endpoint, for every caller and every id, gives nothing of another company, says nothing about it, and changes nothing",
  { timeout: 600_000 },
  async () => {
    const app = await startApp({ worker: false, limits: NO_CALLER_LIMITS });
    const stopLabels = await app.makeLabels();
    const world = await createWorld(app);
    await stopLabels();
    const untried = ENDPOINTS.flatMap((endpoint) =>
      untriedNames(endpoint, world).map((name) => `${callName(endpoint)}: ${name}`),
    );
    expect(
      untried,
      "add an object of Acme Tools for these to isolation-world.ts, or say in isolation-cases.ts that they name none",
    ).toEqual([]);
    const cases = ENDPOINTS.flatMap((endpoint) => listCases(endpoint, world));
    const uncovered = ENDPOINTS.filter(
      ({ access, ...endpoint }) =>
        access.kind !== "public" &&
        !cases.some(
          (example) => example.endpoint.path === endpoint.path && example.endpoint.method === endpoint.method,
        ),
    );
    expect(uncovered.map(callName)).toEqual([]);

    const before = await digestAll(world);
    const answers = await answersTo(app.url, cases);
    const wrong = cases.flatMap((example, index) =>
      answers[index]?.found === example.expected
        ? []
        : [
            `${callName(example.endpoint)} (${example.kind}: ${example.name}) ${answers[index]?.found}, not ${example.expected}`,
          ],
    );
    expect(wrong).toEqual([]);

    const texts = new Map<string, Set<string>>();
    for (const [index, { alike }] of cases.entries())
      if (alike) texts.set(alike, (texts.get(alike) ?? new Set()).add(answers[index]?.text ?? ""));
    const differing = [...texts].flatMap(([what, found]) =>
      found.size > 1 ? [[what, ...[...found].slice(0, 2)].join("\n")] : [],
    );
    expect(differing).toEqual([]);
    expect(await digestAll(world)).toEqual(before);

    const counts = Object.entries(Object.groupBy(cases, ({ kind }) => kind)).map(
      ([kind, list]) => `${list?.length} ${kind}`,
    );
    process.stdout.write(
      `Isolation: ${cases.length} cases of ${ENDPOINTS.length} endpoints refused (${counts.join(", ")})\n`,
    );
    expect(cases.length).toBeGreaterThanOrEqual(10_000);
  },
);

test("another user's device cannot be signed out, and its id is answered like one that does not exist", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const stranger = app.browser();
  await stranger.signIn("platform@dockside.example");
  const { devices } = (await owner.call(listDevices)).json() as { devices: Device[] };
  const ids = [devices[0]?.id ?? "", "0".repeat(64)];
  const replies = await Promise.all(ids.map((id) => stranger.call(signOutDevices, { query: { id } })));
  expect(replies.map(({ status, text }) => `${status} ${text}`)).toEqual(
    ids.map(() => '200 {"signed_out":0}'),
  );
  expect((await owner.call(listDevices)).status).toBe(200);
});

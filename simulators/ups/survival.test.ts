import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readPackages, shipBody, startTestUps } from "./test-kit.ts";

const folder = await mkdtemp(join(tmpdir(), "ups-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

test("shipments, labels and settings survive a restart; a reset empties them", async () => {
  const stateFile = join(folder, "ups.sqlite");
  const first = await startTestUps({ stateFile });
  const { body } = await (await first.connect())("POST", "shipments/v2409/ship", shipBody());
  const number = String(body["ShipmentResponse"]!["ShipmentResults"]!["ShipmentIdentificationNumber"]);
  await first.control("PATCH", "settings", { recoveryDelayMs: 5 });
  await first.close();
  const second = await startTestUps({ stateFile });
  const track = async () =>
    readPackages(await (await second.connect())("GET", `track/v1/details/${number}`)).length;
  expect(await track()).toBe(1);
  expect(await (await fetch(`${second.url}/labels/${number}`)).text()).toContain("data:image/png");
  expect(await second.control("GET", "settings")).toMatchObject({ recoveryDelayMs: 5 });
  await second.control("POST", "reset");
  expect(await track()).toBe(0);
  expect(await second.control("GET", "settings")).toMatchObject({ recoveryDelayMs: 0 });
});

import { expect, test } from "vitest";
import {
  changeLabelSettings,
  createLabels,
  readLabelSettings,
  type LabelSettingsChange,
  type LabelSettingsView,
} from "#features/labels/contract.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { labelWorkbook, makeLabelSettings, PREFIX } from "../../../test/support/labels.ts";
import { startApp } from "../../../test/support/start-app.ts";

/** Two companies of one user, each with its settings. */
async function start() {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await owner.connect("owner@acme.example", BAY);
  const change = async (realm: string, json: Partial<LabelSettingsChange>) => {
    const headers = { "x-realm-id": realm };
    const reply = await owner.call(changeLabelSettings, { headers, json: makeLabelSettings(json) });
    return (reply.json() as LabelSettingsView).shared;
  };
  return { owner, change };
}

const readShared = async (owner: Browser, realm: string) => {
  const reply = await owner.call(readLabelSettings, { headers: { "x-realm-id": realm } });
  return (reply.json() as LabelSettingsView).shared;
};

test("an admin is warned that another company uses the same prefix and digit, without its name, and is offered a free digit", async () => {
  const { owner, change } = await start();
  expect(await change(ACME, {})).toBeNull();
  expect(await change(BAY, {})).toEqual({ prefixes: [PREFIX], free_digit: 1 });
  expect(await readShared(owner, ACME)).toEqual({ prefixes: [PREFIX], free_digit: 1 });
  expect(await change(BAY, { extension: 1 })).toBeNull();
  expect(await readShared(owner, ACME)).toBeNull();
});

test("serials assigned to another company count even after it changed its settings, and so do further and longer prefixes", async () => {
  const { owner, change } = await start();
  await change(ACME, {});
  const file = { name: "week12.xlsx", bytes: await labelWorkbook([{}]) };
  expect((await owner.call(createLabels, { headers: { "x-realm-id": ACME }, file })).status).toBe(200);
  await change(ACME, { extension: 1, other_prefixes: [{ prefix: "9512345" }] });
  expect(await change(BAY, {})).toEqual({ prefixes: [PREFIX], free_digit: 2 });
  expect(await change(BAY, { prefix: "95123456", extension: 1 })).toEqual({
    prefixes: ["95123456"],
    free_digit: 0,
  });
  expect(await change(BAY, { prefix: "8888888", extension: 1 })).toBeNull();
});

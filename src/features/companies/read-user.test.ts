import { expect, test } from "vitest";
import { getUser, userData } from "#features/identity/contract.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { startApp } from "../../../test/support/start-app.ts";

test("GEN-02 AU-07 AU-08 GET /api/v1/user tells name, e-mail, groups and both companies by their realm ids", async () => {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  const browser = await app.owner(BAY);
  expect(getUser.path).toBe("/api/v1/user");
  const user = userData.strict().parse((await browser.call(getUser)).json());
  expect({ ...user, companies: user.companies.toSorted((a, b) => a.id.localeCompare(b.id)) }).toEqual({
    first_name: "Olive",
    last_name: "Owner",
    username: "owner@acme.example",
    email: "owner@acme.example",
    groups: ["app", "brainchild"],
    companies: [
      { id: ACME, name: "Acme Tools", admin: "owner@acme.example" },
      { id: BAY, name: "Bay Supply", admin: "owner@acme.example" },
    ],
  });
});

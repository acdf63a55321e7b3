import { sql } from "kysely";
import { expect, test } from "vitest";
import { createLabels } from "#features/labels/contract.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../../../../test/support/labels.ts";
import { startApp } from "../../../../test/support/start-app.ts";

test("what was corrected of a sheet is kept no longer than its file: until its labels are made, or refused", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const send = async (poNumber: string) => {
    const file = { name: "week12.xlsx", bytes: await labelWorkbook([{ "PO Number": "" }]) };
    const json = { cells: [{ row: 2, field: "poNumber", value: poNumber }] };
    return (await owner.call(createLabels, { json, file })).status;
  };
  expect([await send("A-1"), await send("")]).toEqual([200, 400]);
  const { rows } = await sql`select cells from label_request`.execute(app.db);
  expect(rows).toEqual([{ cells: [] }, { cells: [] }]);
});

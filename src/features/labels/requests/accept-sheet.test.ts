import { sql } from "kysely";
import { expect, test } from "vitest";
import { createLabels, findPrint } from "#features/labels/contract.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../../../../test/support/labels.ts";
import { startApp } from "../../../../test/support/start-app.ts";

const FAILED = "0198c0de-0000-7000-8000-00000000000a";
const WRONG = "0198c0de-0000-7000-8000-00000000000b";

test("a sheet whose labels failed on our side is tried again when it is sent again under its id, and one that was wrong is refused as before", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const refusals = [
    {
      printId: FAILED,
      status: 503,
      code: "storage_full",
      detail: "There was no space.",
      retryAfterSeconds: 300,
    },
    { printId: WRONG, status: 400, code: "row_problems", detail: "Row 2 was wrong." },
  ];
  for (const { printId, ...refusal } of refusals)
    await sql`insert into label_request (realm_id, id, print_id, file_name, rows, cells, choices, asked_by, asked_at,
        call_id, ended_at, refusal, is_answered)
      values (${ACME}, gen_random_uuid(), ${printId}, 'week12.xlsx', 'all', '[]', '{}', 'owner@acme.example', now(),
        'test', now(), ${JSON.stringify(refusal)}, true)`.execute(app.db);
  const file = { name: "week12.xlsx", bytes: await labelWorkbook([{}]) };
  const send = async (printId: string) =>
    (await owner.call(createLabels, { json: { print_id: printId }, file })).status;
  // Twice at once it is still one request.
  expect(await Promise.all([send(FAILED), send(FAILED), send(WRONG)])).toEqual([200, 200, 400]);
  const find = (printId: string) => owner.call(findPrint, { params: { print_id: printId } });
  expect((await find(FAILED)).json()).toMatchObject({ state: "made" });
  expect((await find(WRONG)).json()).toMatchObject({ detail: "Row 2 was wrong." });
  const { rows } = await sql`select count(*)::int as runs from run`.execute(app.db);
  expect(rows).toEqual([{ runs: 1 }]);
});

import { expect, test } from "vitest";
import * as z from "zod";
import { lineText } from "#contract/text.ts";
import { refuseShape } from "#platform/http/refuse-shape.ts";

const schema = z.strictObject({
  realm_id: z.string().min(1),
  limit: z.int().min(1).max(200),
  mode: z.enum(["invoice", "estimate", "bill"]),
  upload_id: z.uuid(),
  names: z.array(z.string()).max(2),
  note: lineText(),
});

const good = {
  realm_id: "1",
  limit: 5,
  mode: "bill",
  upload_id: "00000000-0000-4000-8000-000000000000",
  names: [],
  note: "",
};

test.each<[object, string]>([
  [{ realm_id: undefined }, 'The query parameter "realm_id" is missing.'],
  [{ realm_id: ["1", "2"] }, 'The query parameter "realm_id" must be one text.'],
  [{ realm_id: "" }, 'The query parameter "realm_id" must not be empty.'],
  [{ limit: 0 }, 'The query parameter "limit" must have at least the value 1.'],
  [{ limit: 500 }, 'The query parameter "limit" must have at most the value 200.'],
  [{ limit: "many" }, 'The query parameter "limit" must be a number.'],
  [{ mode: "order" }, 'The query parameter "mode" must be invoice, estimate or bill.'],
  [{ upload_id: "7" }, 'The query parameter "upload_id" must be an id.'],
  [{ names: ["a", "b", "c"] }, 'The query parameter "names" must have at most 2 entries.'],
  [{ names: [7] }, 'The query parameter "names.0" must be one text.'],
  [{ note: "a\u0001" }, 'The query parameter "note" must not have control characters in it.'],
  [{ extra: 1 }, "The query has parts that aren't known here: extra."],
  [{ limit: 0, mode: "x", names: 1 }, "three"],
])("ER-27 a request of the wrong shape is refused in plain words: %j", (change, sentence) => {
  const { error } = z.safeParse(schema, { ...good, ...change }, { reportInput: true });
  const { detail, code, lines } = read(error);
  expect(code).toBe("invalid_request");
  if (sentence === "three") expect(lines).toHaveLength(3);
  else expect(detail).toBe(sentence);
});

test("ER-27 a missing body is called missing, and its fields are called fields", () => {
  expect(
    refuseShape("body", z.safeParse(schema, undefined, { reportInput: true }).error as z.ZodError).message,
  ).toBe("The body is missing.");
  const { error } = z.safeParse(schema, { ...good, mode: 1 }, { reportInput: true });
  expect(refuseShape("body", error as z.ZodError).message).toBe(
    'The field "mode" must be invoice, estimate or bill.',
  );
});

function read(error: z.ZodError | undefined) {
  if (!error) throw new Error("The shape was good.");
  const { message, code } = refuseShape("query", error);
  return { detail: message, code, lines: message.split("\n") };
}

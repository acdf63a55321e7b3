import { expect, test } from "vitest";
import * as z from "zod";
import { lineText } from "#contract/text.ts";
import { refuseShape } from "#platform/http/refuse-shape.ts";

const schema = z
  .strictObject({
    realm_id: z.string().min(1),
    limit: z.int().min(1).max(200),
    mode: z.enum(["invoice", "estimate", "bill"]),
    upload_id: z.uuid(),
    names: z.array(z.string()).max(2),
    note: lineText(),
    cartons: z
      .array(
        z.object({
          length: z
            .number()
            .positive()
            .lt(108)
            .refine((value) => value <= 0 || value >= 0.01, "has more than two decimals"),
        }),
      )
      .optional(),
    ship_to: z.object({ entries: z.array(z.object({ city: z.string().min(1) })) }).optional(),
    from: z.int().optional(),
    to: z.int().optional(),
  })
  .refine(({ from = 0, to = 9 }) => from <= to, "The start is after the end.");

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
  [{ realm_id: ["1", "2"] }, 'The query parameter "realm_id" must be a single text value.'],
  [{ realm_id: "" }, 'The query parameter "realm_id" must not be empty.'],
  [{ limit: 0 }, 'The query parameter "limit" must be at least 1.'],
  [{ limit: 500 }, 'The query parameter "limit" must be at most 200.'],
  [{ limit: "many" }, 'The query parameter "limit" must be a number.'],
  [{ mode: "order" }, 'The query parameter "mode" must be invoice, estimate or bill.'],
  [{ upload_id: "7" }, 'The query parameter "upload_id" must be an id.'],
  [{ names: ["a", "b", "c"] }, 'The query parameter "names" must have at most 2 entries.'],
  [{ names: [7] }, 'Entry 1 of the query parameter "names" must be a single text value.'],
  [
    { cartons: [{ length: 1 }, { length: -1 }] },
    'The query parameter "length" of carton 2 must be more than 0.',
  ],
  [{ cartons: [{ length: 108 }] }, 'The query parameter "length" of carton 1 must be less than 108.'],
  [{ cartons: [{ length: 0.001 }] }, 'The query parameter "length" of carton 1 has more than two decimals.'],
  [
    { ship_to: { entries: [{ city: "" }] } },
    'The query parameter "city" of entry 1 of "ship_to" must not be empty.',
  ],
  [{ from: 2, to: 1 }, "The start is after the end."],
  [{ note: "a\u0001" }, 'The query parameter "note" must not have control characters in it.'],
  [{ extra: 1 }, "The query has unknown fields: extra."],
  [
    Object.fromEntries(Array.from({ length: 7_000 }, (_, at) => [`k${at}`, at])),
    "The query has unknown fields: k0, k1, k2, k3, k4 and 6,995 more.",
  ],
  [{ ["k".repeat(1_000)]: 1 }, `The query has unknown fields: ${"k".repeat(60)}….`],
  [{ limit: 0, mode: "x", names: 1 }, "three"],
])("ER-27 a request of the wrong shape is refused in plain words: %j", (change, sentence) => {
  const { error } = z.safeParse(schema, { ...good, ...change }, { reportInput: true });
  const { detail, code, lines } = read(error);
  expect(code).toBe("invalid_request");
  if (sentence === "three") expect(lines).toHaveLength(3);
  else expect(detail).toBe(sentence);
});

test("ER-27 a missing body is reported as missing, and problems in a body name fields", () => {
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

import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { isSignedWebhook, readWebhook } from "#integrations/intuit/verify-webhook.ts";

const verify = (delivery: Parameters<typeof isSignedWebhook>[0]) =>
  isSignedWebhook(delivery) ? readWebhook(delivery.body) : null;

const TOKEN = "sim-verifier-token";
const BODY = Buffer.from(
  '[{"specversion":"1.0","id":"11111111-2222-4333-8444-555555555555","source":"intuit.simulator","type":"qbo.invoice.updated.v1","datacontenttype":"application/json","time":"2026-11-20T12:00:00Z","intuitentityid":"130","intuitaccountid":"9130357849016936","data":{}}]',
);
const SIGNATURE = "UJA5lP1NV3/BWUahIrgxZ26h9JHHMZAirVOm7cCaGpA=";

const sign = (body: Buffer, token = TOKEN) => createHmac("sha256", token).update(body).digest("base64");
const read = (value: unknown) => {
  const body = Buffer.from(JSON.stringify(value));
  return verify({ body, signature: sign(body), verifierToken: TOKEN });
};

test("the signature of the published vector is accepted, and its event is read", () => {
  expect(BODY).toHaveLength(264);
  expect(verify({ body: BODY, signature: SIGNATURE, verifierToken: TOKEN })).toEqual([
    {
      realmId: "9130357849016936",
      entity: "invoice",
      operation: "updated",
      id: "130",
      eventId: "11111111-2222-4333-8444-555555555555",
      at: new Date("2026-11-20T12:00:00Z"),
    },
  ]);
});

test.each([
  ["none", undefined],
  ["an empty one", ""],
  ["text that is not base64", "%%%"],
  ["a shorter one", SIGNATURE.slice(0, 20)],
  ["a longer one", `${SIGNATURE.slice(0, -1)}AAAA`],
  ["one of another token", sign(BODY, "other-token")],
  ["one of another body", sign(Buffer.from("[]"))],
  ["the same in hexadecimal", Buffer.from(SIGNATURE, "base64").toString("hex")],
])("a body with a wrong signature is not read: %s", (_, signature) => {
  expect(verify({ body: BODY, signature, verifierToken: TOKEN })).toBeNull();
});

test("one more byte changes the signature, even where the JSON means the same", () => {
  const body = Buffer.concat([BODY, Buffer.from("\n")]);
  expect(verify({ body, signature: SIGNATURE, verifierToken: TOKEN })).toBeNull();
});

test("the shape before CloudEvents is read into the same events, for several companies", () => {
  const entity = (id: string, name: string, operation: string) => ({
    id,
    name,
    operation,
    lastUpdated: "2026-11-20T12:00:00-08:00",
  });
  const at = new Date("2026-11-20T20:00:00Z");
  expect(
    read({
      eventNotifications: [
        {
          realmId: "1",
          dataChangeEvent: {
            entities: [entity("130", "Invoice", "Create"), entity("9", "Customer", "Merge")],
          },
        },
        { realmId: "2", dataChangeEvent: { entities: [entity("4", "Invoice", "Void")] } },
      ],
    }),
  ).toEqual([
    { realmId: "1", entity: "invoice", operation: "created", id: "130", at, eventId: expect.any(String) },
    { realmId: "1", entity: "customer", operation: "merged", id: "9", at, eventId: expect.any(String) },
    { realmId: "2", entity: "invoice", operation: "voided", id: "4", at, eventId: expect.any(String) },
  ]);
});

test("a repeated delivery of the shape before CloudEvents has the same event ids", () => {
  const entities = [{ id: "130", name: "Invoice", operation: "Update", lastUpdated: "2026-11-20T12:00:00Z" }];
  const delivery = { eventNotifications: [{ realmId: "1", dataChangeEvent: { entities } }] };
  expect(read(delivery)).toEqual(read(delivery));
});

const [KNOWN] = JSON.parse(BODY.toString()) as object[];

test.each([
  ["an event of another kind", [{ ...KNOWN, type: "payments.charge.captured.v1" }, KNOWN]],
  ["an event without a company", [{ ...KNOWN, intuitaccountid: undefined }, KNOWN]],
  ["numbers for texts", [{ ...KNOWN, intuitentityid: 130 }, KNOWN]],
  ["null and lists", [null, [], KNOWN]],
])("unknown entries are ignored and the others read: %s", (_, entries) => {
  expect(read(entries)).toHaveLength(1);
});

test.each([[{}], [null], ["text"], [{ eventNotifications: [{ realmId: "1" }, null] }], [[]]])(
  "a signed body without events is accepted: %j",
  (value) => {
    expect(read(value)).toEqual([]);
  },
);

test("a signed body that is not JSON has no events", () => {
  const body = Buffer.from("[{");
  expect(verify({ body, signature: sign(body), verifierToken: TOKEN })).toEqual([]);
});

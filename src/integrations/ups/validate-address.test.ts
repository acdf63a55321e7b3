import { expect, test } from "vitest";
import { answerCalls, refusal, type Scripted } from "#integrations/ups/fixtures/answer-calls.ts";
import { toAddressRequest } from "#integrations/ups/validate-address.ts";

const address = { lines: ["34 Elm Ave", ""], city: "Boise", state: "ID", zip: "83702-1234", country: "US" };
const candidate = (line: string | string[], zip: string | number = "83702") => ({
  AddressKeyFormat: {
    AddressLine: line,
    PoliticalDivision2: "BOISE",
    PoliticalDivision1: "ID",
    PostcodePrimaryLow: zip,
    PostcodeExtendedLow: "1234",
    CountryCode: "US",
  },
});
const read = { city: "BOISE", state: "ID", zip: "83702-1234", country: "US" };

const reply = (fields: object): Scripted => ({ json: { XAVResponse: fields } });

test("an address is sent with its ZIP in two parts", () => {
  expect(toAddressRequest(address)).toEqual({
    XAVRequest: {
      AddressKeyFormat: {
        AddressLine: ["34 Elm Ave"],
        PoliticalDivision2: "Boise",
        PoliticalDivision1: "ID",
        PostcodePrimaryLow: "83702",
        PostcodeExtendedLow: "1234",
        CountryCode: "US",
      },
    },
  });
});

test.each<[object, Scripted]>([
  [
    { state: "valid", classification: "residential", address: { lines: ["34 ELM AVE"], ...read } },
    reply({
      ValidAddressIndicator: "",
      AddressClassification: { Code: "2" },
      Candidate: candidate("34 ELM AVE", 83702),
    }),
  ],
  [
    { state: "valid", classification: "unknown", address: null },
    reply({ ValidAddressIndicator: "", AddressClassification: { Code: 0 } }),
  ],
  [
    {
      state: "ambiguous",
      classification: "commercial",
      candidates: [
        { lines: ["34 ELM AVE N", "UNIT 1"], ...read },
        { lines: ["34 ELM AVE S"], ...read },
      ],
    },
    reply({
      AmbiguousAddressIndicator: "",
      AddressClassification: { Code: "1&#xD;" },
      Candidate: [candidate(["34 ELM AVE N", "UNIT 1"]), candidate(["34 ELM AVE S"])],
    }),
  ],
  [{ state: "unknown", classification: "unknown" }, reply({ NoCandidatesIndicator: "" })],
])("an address is %o", async (found, answer) => {
  await using canned = await answerCalls(answer);
  expect(await canned.ups.validateAddress("access-1", address)).toEqual(found);
  expect(canned.requests[0]?.url.pathname).toBe("/api/addressvalidation/v2/3");
});

test.each<[string, Scripted]>([
  ["refused", refusal("250066")],
  ["uncertain", reply({ Candidate: [candidate("34 ELM AVE")] })],
  ["uncertain", (response) => response.writeHead(200).end()],
])("an answer without a verdict is %s", async (kind, answer) => {
  await using canned = await answerCalls(answer);
  await expect(canned.ups.validateAddress("access-1", address)).rejects.toMatchObject({ kind });
});

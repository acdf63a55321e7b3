import { expect, test } from "vitest";
import { readCodes, startTestUps } from "./test-kit.ts";

const ups = await startTestUps();
const acme = await ups.connect();

const ELM = {
  AddressLine: ["12 Elm Street, Apt 4"],
  PoliticalDivision2: "Mountain View",
  PoliticalDivision1: "CA",
  PostcodePrimaryLow: "94043",
  CountryCode: "US",
};
const validate = async (changes: object, option = 3) => {
  const { body } = await acme("POST", `addressvalidation/v2/${option}`, {
    XAVRequest: { AddressKeyFormat: { ...ELM, ...changes } },
  });
  return body["XAVResponse"]!;
};
const elm = {
  AddressClassification: { Code: "2", Description: "Residential" },
  AddressKeyFormat: {
    AddressLine: ["12 ELM ST APT 4"],
    PoliticalDivision2: "MOUNTAIN VIEW",
    PoliticalDivision1: "CA",
    PostcodePrimaryLow: "94043",
    PostcodeExtendedLow: "1234",
    Region: "MOUNTAIN VIEW CA 94043-1234",
    CountryCode: "US",
  },
};

test("a known address is valid, in the Postal Service's form, and classified", async () => {
  expect(await validate({})).toEqual({
    Response: { ResponseStatus: { Code: "1", Description: "Success" } },
    ValidAddressIndicator: "",
    AddressClassification: { Code: "2", Description: "Residential" },
    Candidate: elm,
  });
  const office = await validate({ AddressLine: ["1600 Amphitheatre Pkwy"] });
  expect(office["AddressClassification"]).toEqual({ Code: "1", Description: "Commercial" });
});

test.each([
  ["a misspelled street", { AddressLine: ["12 Elm Strt Apt 4"] }],
  ["another ZIP code", { PostcodePrimaryLow: "94040" }],
])("%s is ambiguous, and the right candidate is offered", async (_name, changes) => {
  expect(await validate(changes)).toMatchObject({
    AmbiguousAddressIndicator: "",
    AddressClassification: { Code: "0", Description: "Unknown" },
    Candidate: elm,
  });
});

test.each([
  ["an unknown street", { AddressLine: ["12 Nowhere Ln"] }],
  ["a house that is not there", { AddressLine: ["99999 Elm St"] }],
  ["a post office box", { AddressLine: ["PO Box 12"] }],
])("%s has no candidates", async (_name, changes) => {
  const answer = await validate(changes);
  expect(answer).toMatchObject({ NoCandidatesIndicator: "" });
  expect(answer).not.toHaveProperty("Candidate");
});

test("option 1 does not classify, option 2 only classifies", async () => {
  expect(await validate({}, 1)).not.toHaveProperty("AddressClassification");
  const classified = await validate({}, 2);
  expect(classified["AddressClassification"]).toMatchObject({ Code: "2" });
  expect(classified).not.toHaveProperty("Candidate");
  expect(readCodes(await acme("POST", "addressvalidation/v2/3", {}))).toEqual(["264001"]);
});

import { json, type Reply } from "../kit/http.ts";
import { field, list, text } from "./fields.ts";
import { listIn, UpsFault } from "./replies.ts";
import { editDistance, readHouseLine, STREETS, type HouseLine, type Street } from "./streets.ts";

type Call = { version: string; option: string; body: unknown };
type Candidate = { street: Street; line: HouseLine };

/** Letters that a misspelled street may differ by. */
const NEAR = 2;

/**
 * Answers POST `/api/addressvalidation/{version}/{option}`: 1 validates, 2 classifies, 3 does both.
 * @throws UpsFault when the request has no address, or one outside the US
 */
export function validateAddress({ version, option, body }: Call): Reply {
  const key = field(body, "XAVRequest", "AddressKeyFormat");
  const lines = list(field(key, "AddressLine")).map(String);
  const country = text(key, "CountryCode");
  if (key === undefined || lines.join("").trim() === "") throw new UpsFault(400, "264001", "Missing address");
  if (country !== "US" && country !== "PR")
    throw new UpsFault(400, "264002", "The country code is missing or not supported");
  const asked = {
    line: readHouseLine(lines.join(" ")),
    city: text(key, "PoliticalDivision2").trim().toUpperCase(),
    state: text(key, "PoliticalDivision1").trim().toUpperCase(),
    zip: text(key, "PostcodePrimaryLow").slice(0, 5),
  };
  const { exact, near } = findCandidates(asked);
  const found = exact ? [exact] : near;
  const classify = option !== "1";
  return json(200, {
    XAVResponse: {
      Response: { ResponseStatus: { Code: "1", Description: "Success" }, Alert: listIn(version, []) },
      ...indicator(option, { exact, near }),
      ...(classify ? { AddressClassification: classification(exact?.street) } : {}),
      ...(option === "2" || found.length === 0
        ? {}
        : {
            Candidate: listIn(
              version,
              found.map((each) => shownCandidate(each, classify)),
            ),
          }),
    },
  });
}

function indicator(
  option: string,
  { exact, near }: { exact: Candidate | undefined; near: Candidate[] },
): object {
  if (option === "2") return {};
  if (exact) return { ValidAddressIndicator: "" };
  return near.length > 0 ? { AmbiguousAddressIndicator: "" } : { NoCandidatesIndicator: "" };
}

type AddressQuery = { line: HouseLine | undefined; city: string; state: string; zip: string };

/** The address itself, or those that it may mean: a street with a similar name, or another ZIP code of its city. */
function findCandidates({ line, city, state, zip }: AddressQuery): {
  exact: Candidate | undefined;
  near: Candidate[];
} {
  if (!line) return { exact: undefined, near: [] };
  const houses = STREETS.filter(({ first, last }) => line.house >= first && line.house <= last);
  const here = (street: Street) => street.city === city && street.state === state;
  const exact = houses.find((street) => street.name === line.street && here(street) && street.zip === zip);
  const near = houses.filter(
    (street) => editDistance(street.name, line.street) <= NEAR && (street.zip === zip || here(street)),
  );
  const candidate = (street: Street): Candidate => ({ street, line });
  return { exact: exact && candidate(exact), near: near.map(candidate) };
}

const CLASSES = {
  commercial: { Code: "1", Description: "Commercial" },
  residential: { Code: "2", Description: "Residential" },
} as const;

const classification = (street: Street | undefined) =>
  street ? CLASSES[street.kind] : { Code: "0", Description: "Unknown" };

const shownCandidate = ({ street, line }: Candidate, classify: boolean) => ({
  ...(classify ? { AddressClassification: classification(street) } : {}),
  AddressKeyFormat: {
    AddressLine: [`${line.house} ${street.name}${line.unit === "" ? "" : ` ${line.unit}`}`],
    PoliticalDivision2: street.city,
    PoliticalDivision1: street.state,
    PostcodePrimaryLow: street.zip,
    PostcodeExtendedLow: street.extension,
    Region: `${street.city} ${street.state} ${street.zip}-${street.extension}`,
    CountryCode: "US",
  },
});

import type { Reference } from "./records.ts";
import type { Problem } from "./replies.ts";
import { isDomestic } from "./services.ts";
import type { RequestedPackage, ShipRequest } from "./ship-request.ts";

export const MAX_PACKAGES = 200;
const MAX_LB = 150;
const MAX_LENGTH_IN = 108;
const MAX_SIZE_IN = 165;
/** The schema allows five; the older list of errors, and the answers, two. */
const MAX_REFERENCES = 2;

/** Checks number, weight, size and references of the packages. */
export function checkPackages(request: ShipRequest): Problem[] {
  const { packages } = request;
  if (packages.length === 0) return [{ code: "120600", message: "Missing package" }];
  if (packages.length > MAX_PACKAGES)
    return [{ code: "120020", message: `The shipment exceeds the limit of ${MAX_PACKAGES} packages` }];
  return distinct([
    ...packages.flatMap(checkPackage),
    ...checkUnits(packages),
    ...checkLane(request),
    ...checkReferences(request),
  ]);
}

/** UPS reports each fault once, not once per package. */
const distinct = (problems: readonly Problem[]): Problem[] => [
  ...new Map(problems.map((problem) => [problem.code + problem.message, problem])).values(),
];

const PACKAGINGS = ["01", "02", "03", "04", "21", "24", "25", "30", "2a", "2b", "2c"];

function checkPackage({ description, packaging, weight, sides, signature }: RequestedPackage): Problem[] {
  const problems: Problem[] = [];
  if (description.length > 35) problems.push({ code: "120503", message: "Invalid package description" });
  if (packaging === "") problems.push({ code: "120600", message: "Missing or invalid package type" });
  else if (!PACKAGINGS.includes(packaging))
    problems.push({ code: "120601", message: "Missing or invalid package type code" });
  if (!/^\d{1,5}$|^(?=.{3,5}$)\d+\.\d$/.test(weight))
    problems.push({ code: "120602", message: "Missing or invalid package weight" });
  else if (Number(weight) <= 0)
    problems.push({ code: "121030", message: "Package weight must be greater than zero" });
  else if (Number(weight) > MAX_LB)
    problems.push({ code: "121050", message: `The package exceeds the maximum weight of ${MAX_LB} pounds` });
  if (signature !== "" && !["2", "3"].includes(signature))
    problems.push({
      code: "121100",
      message: "The requested accessory option is unavailable between the selected locations.",
    });
  return sides ? [...problems, ...checkSides(sides)] : problems;
}

function checkSides({ length, width, height }: NonNullable<RequestedPackage["sides"]>): Problem[] {
  const sides = [length, width, height];
  if (sides.some((side) => !/^\d{1,3}$/.test(side) || Number(side) === 0))
    return [{ code: "120605", message: "Missing or invalid package dimensions" }];
  const [longest = 0, second = 0, third = 0] = sides.map(Number).sort((a, b) => b - a);
  if (longest > MAX_LENGTH_IN)
    return [
      {
        code: "121055",
        message: `Package exceeds the maximum length constraint of ${MAX_LENGTH_IN} inches`,
      },
    ];
  if (longest + 2 * (second + third) > MAX_SIZE_IN)
    return [
      {
        code: "121056",
        message: `Package exceeds the maximum size total constraint of ${MAX_SIZE_IN} inches (length + girth)`,
      },
    ];
  return [];
}

const SYSTEMS: Readonly<Record<string, string>> = {
  LBS: "imperial",
  KGS: "metric",
  IN: "imperial",
  CM: "metric",
};

function checkUnits(packages: readonly RequestedPackage[]): Problem[] {
  const weights = packages.map(({ weightUnit }) => weightUnit);
  const lengths = packages.flatMap(({ sides }) => sides?.unit ?? []);
  const problems: Problem[] = [];
  if (weights.some((unit) => !["LBS", "KGS"].includes(unit)))
    problems.push({ code: "120604", message: "Missing or invalid unit of package weight" });
  if (lengths.some((unit) => !["IN", "CM"].includes(unit)))
    problems.push({ code: "120606", message: "Missing or invalid unit of package dimensions" });
  if (problems.length > 0) return problems;
  if (new Set(weights).size > 1)
    problems.push({ code: "120528", message: "Packages must have the same unit of weight" });
  if (new Set(lengths).size > 1)
    problems.push({ code: "120529", message: "Packages must have the same unit of dimensions" });
  if (new Set([...weights, ...lengths].map((unit) => SYSTEMS[unit])).size > 1 && problems.length === 0)
    problems.push({ code: "120548", message: "Units of weight and dimensions must be of one system" });
  if (problems.length === 0 && weights.includes("KGS"))
    problems.push({ code: "120604", message: "The unit of weight must be LBS for this origin" });
  return problems;
}

/** In the US references belong to packages, on other lanes to the shipment. */
function checkLane({ shipper, shipFrom, shipTo, references, packages }: ShipRequest): Problem[] {
  const domestic = isDomestic((shipFrom ?? shipper).country, shipTo.country);
  if (domestic && references.length > 0)
    return [
      { code: "120541", message: "Reference numbers are not allowed at the shipment level for this lane" },
    ];
  if (!domestic && packages.some((pack) => pack.references.length > 0))
    return [
      { code: "120542", message: "Reference numbers are not allowed at the package level for this lane" },
    ];
  return [];
}

const CODES = "PO IK ON DP ST TN PM BM SE RZ AJ AT MJ MK PC RQ SA 9V 3Q".split(" ");

function checkReferences({ references, packages }: ShipRequest): Problem[] {
  const levels = [references, ...packages.map((pack) => pack.references)];
  const problems = [
    ...checkValues(references, { code: "120501", value: "120506" }),
    ...packages.flatMap((pack) => checkValues(pack.references, { code: "120603", value: "120603" })),
  ];
  if (levels.some((level) => level.length > MAX_REFERENCES))
    problems.push({ code: "120544", message: `More than ${MAX_REFERENCES} reference numbers are indicated` });
  if (levels.flat().filter(({ barcode }) => barcode).length > 1)
    problems.push({ code: "120543", message: "Only one reference number may be printed as a bar code" });
  return problems;
}

function checkValues(references: readonly Reference[], codes: { code: string; value: string }): Problem[] {
  return references.flatMap(({ code, value, barcode }) => {
    if (code !== "" && !CODES.includes(code))
      return [{ code: codes.code, message: "Missing or invalid reference number code" }];
    if (value.length < 1 || value.length > 35)
      return [{ code: codes.value, message: "Missing or invalid reference number value" }];
    if (barcode && !/^([0-9A-Za-z]{1,14}|\d{1,24})$/.test(value))
      return [{ code: "120607", message: "The reference number cannot be printed as a bar code" }];
    return [];
  });
}

import { importsOf, isSource, isTest, textOf } from "./files.mjs";

/** Which feature may use which other, by its index.ts or contract.ts. */
const ARROWS = ["companies→identity", "invoices→companies", "invoices→identity"];

/** Packages that only run on the server; the browser must never be sent one. */
const SERVER_PACKAGES =
  /^package:(node:|pg$|kysely|fastify|@fastify\/|pino|graphile-worker|openid-client|hucre|stripe$|nodemailer)/;

/** What each zone may import, besides packages. `own` is the zone itself. */
const MAY_IMPORT = {
  feature: (from, to) => ["own", "integrations", "platform", "formats", "contract"].includes(to.zone),
  "feature contract": (from, to) => ["own", "contract", "feature contract"].includes(to.zone),
  "feature web": (from, to) => ["own", "feature contract", "web kit", "contract"].includes(to.zone),
  formats: (from, to) => to.zone === "own",
  integrations: (from, to) => ["own", "platform", "contract"].includes(to.zone),
  platform: (from, to) => ["own", "contract"].includes(to.zone),
  contract: (from, to) => to.zone === "own",
  "web kit": (from, to) => ["own", "contract", "feature contract"].includes(to.zone),
  web: (from, to) => ["own", "web kit", "feature web", "feature contract", "contract"].includes(to.zone),
  "simulators main": (from, to) => to.zone === "simulators",
  simulators: (from, to) => to.zone === "own" || to.part === "kit",
};

/** Imports go one way: main → features → integrations → platform → contract; formats and simulators stand alone. `read` gives a file's text. */
export function checkImports(files, read = textOf) {
  return files
    .filter((file) => isSource(file) && !isTest(file))
    .flatMap((file) =>
      importsOf(file, read(file)).flatMap(({ line, target }) =>
        judge(file, target).map((fault) => `${file}:${line} ${fault}`),
      ),
    );
}

function judge(file, target) {
  const from = placeOf(file);
  if (target.startsWith("package:")) return judgePackage(from, target);
  const there = placeOf(target);
  if (!there) return [`imports ${target}, which is no source folder`];
  if (from.zone === "main") return judgeMain(there, target);
  const feature = ["feature", "feature contract"].includes(there.zone);
  if (from.zone === "feature" && feature && from.part !== there.part)
    return judgeFeature(from, there, target);
  const own = from.part === there.part && (from.zone === there.zone || (from.zone === "feature" && feature));
  const to = own ? { ...there, zone: "own" } : there;
  return MAY_IMPORT[from.zone](from, to)
    ? []
    : [`imports ${target}: ${from.zone} may not import ${there.zone}`];
}

function judgePackage(from, target) {
  if (["feature web", "web", "web kit"].includes(from.zone) && SERVER_PACKAGES.test(target)) {
    return [`imports ${target.slice(8)}, which cannot run in a browser`];
  }
  if (["contract", "feature contract"].includes(from.zone) && target !== "package:zod")
    return [`imports ${target.slice(8)}: a contract imports zod only`];
  return [];
}

function judgeMain(there, target) {
  if (["web", "web kit", "feature web", "simulators", "simulators main"].includes(there.zone))
    return [`imports ${target}: main starts them, it does not import them`];
  if (there.zone === "feature" && !isFront(target))
    return [`imports ${target}: a feature is used through its index.ts`];
  return [];
}

function judgeFeature(from, there, target) {
  const arrow = `${from.part}→${there.part}`;
  if (!ARROWS.includes(arrow)) return [`imports ${target}: the arrow ${arrow} is not in the list`];
  return isFront(target) ? [] : [`imports ${target}: a feature is used through its index.ts or contract.ts`];
}

const isFront = (target) => /^src\/features\/[^/]+\/(index|([a-z-]+\/)?contract)\.ts$/.test(target);

/** The zone of a path, and its part: the feature, vendor, format or simulator. */
function placeOf(path) {
  const [top, area, part, ...rest] = path.split("/");
  if (top === "simulators")
    return { zone: area.endsWith(".ts") ? "simulators main" : "simulators", part: area };
  if (top !== "src") return null;
  if (area === "features") return { zone: featureZone(rest, part), part };
  if (area === "web") return ["kit", "theme"].includes(part) ? { zone: "web kit" } : { zone: "web" };
  if (["formats", "integrations"].includes(area)) return { zone: area, part };
  return ["main", "platform", "contract"].includes(area) ? { zone: area } : null;
}

function featureZone(rest, part) {
  if (part === undefined) return "feature";
  if (rest.includes("web")) return "feature web";
  return rest.at(-1) === "contract.ts" ? "feature contract" : "feature";
}

import { findImports, isSource, isTest, readText } from "./files.mjs";

/** Allowed uses between features, through index.ts or contract.ts. */
const ARROWS = [
  "admin→billing",
  "admin→companies",
  "admin→health",
  "admin→identity",
  "admin→invoices",
  "admin→labels",
  "admin→notices",
  "admin→shipping",
  "admin→telemetry",
  "billing→companies",
  "billing→identity",
  "books→companies",
  "books→identity",
  "carrier→companies",
  "carrier→identity",
  "carrier→programs",
  "companies→identity",
  "differences→companies",
  "invoices→books",
  "invoices→companies",
  "invoices→identity",
  "invoices→programs",
  "invoices→sheets",
  "labels→companies",
  "labels→identity",
  "labels→programs",
  "labels→sheets",
  "order-invoices→books",
  "order-invoices→companies",
  "order-invoices→invoices",
  "order-invoices→orders",
  "order-invoices→programs",
  "order-invoices→sheets",
  "order-invoices→shipping",
  "order-invoices→tracking",
  "orders→companies",
  "orders→identity",
  "orders→programs",
  "orders→sheets",
  "packages→carrier",
  "programs→companies",
  "programs→identity",
  "sheets→companies",
  "sheets→identity",
  "shipping→carrier",
  "shipping→companies",
  "shipping→identity",
  "shipping→orders",
  "shipping→packages",
  "shipping→programs",
  "shipping→sheets",
  "tracking→books",
  "tracking→carrier",
  "tracking→companies",
  "tracking→identity",
  "tracking→orders",
  "tracking→packages",
  "tracking→programs",
  "tracking→sheets",
  "tracking→shipping",
];
/** Features whose contracts the web kit may import: the signed-in user, and the current company. */
const OF_KIT = ["companies", "identity"];
/** Features that any feature may use. */
const FOR_ALL = ["audit", "notices"];

/** Formats in order: each may use only itself and those before a `<`; a table interprets what codecs read. */
const FORMATS = "facts, limits < csv, gs1, tar, text, x12, xlsx < label, table < pdf, zpl < carrier-label"
  .split(" < ")
  .map((formats) => formats.split(", "));
const orderOfFormat = (part) => FORMATS.findIndex((formats) => formats.includes(part?.replace(/\.ts$/, "")));

/**
 * A room is a folder or a file of a feature. Contracts aren't a room, as they import none; the routes of all
 * rooms, which assemble the feature, are one.
 */
const OF_NO_ROOM = /(^|\/)(web\/.*|contract\.ts|index\.ts)$/;
const OF_ROUTES = /(^|\/)routes\.ts$/;

/** Formats that pages use too: a typed date must be read there as on the server. */
const FORMATS_FOR_PAGES = [
  "src/formats/table/dates.ts",
  "src/formats/table/file-total.ts",
  "src/formats/table/marked-rows.ts",
];

/** Packages that only run on the server and must never reach the browser. */
const SERVER_PACKAGES =
  /^package:(node:|pg$|kysely|fastify|@fastify\/|pino|openid-client|hucre|stripe$|nodemailer)/;

/** Allowed imports of each zone, besides packages. `own` is the zone itself. */
const MAY_IMPORT = {
  feature: (from, to) => ["own", "integrations", "platform", "formats", "contract"].includes(to.zone),
  "feature contract": (from, to) => ["own", "contract", "feature contract"].includes(to.zone),
  "feature web": (from, to) => ["own", "feature contract", "web kit", "contract"].includes(to.zone),
  formats: (from, to) => to.zone === "own" || (to.zone === "formats" && isFormatBefore(to.part, from.part)),
  integrations: (from, to) => ["own", "platform", "contract"].includes(to.zone),
  platform: (from, to) => ["own", "contract"].includes(to.zone),
  contract: (from, to) => to.zone === "own",
  "web kit": (from, to) =>
    ["own", "contract"].includes(to.zone) || (to.zone === "feature contract" && OF_KIT.includes(to.part)),
  web: (from, to) => ["own", "web kit", "feature web", "feature contract", "contract"].includes(to.zone),
  gallery: (from, to) =>
    ["own", "web", "web kit", "feature web", "feature contract", "contract"].includes(to.zone),
  "simulators main": (from, to) => to.zone === "simulators",
  simulators: (from, to) => to.zone === "own" || to.part === "kit",
};

const isFormatBefore = (part, other) =>
  orderOfFormat(part) >= 0 && orderOfFormat(part) < orderOfFormat(other);

/**
 * Checks that imports go one way: main → features → integrations → platform → contract; formats and
 * simulators stand alone, and neither files nor rooms of a feature import each other in a circle. Includes type
 * imports. `read` returns a file's text.
 */
export function checkImports(files, read = readText) {
  const sources = files.filter((file) => isSource(file) && !isTest(file));
  const imports = new Map(sources.map((file) => [file, findImports(file, read(file))]));
  const faults = sources.flatMap((file) =>
    imports
      .get(file)
      .flatMap(({ line, target }) => checkImport(file, target).map((fault) => `${file}:${line} ${fault}`)),
  );
  return [...faults, ...findCircles(imports), ...findCircles(findRooms(imports))];
}

function checkImport(file, target) {
  const from = findPlace(file);
  if (target.startsWith("package:")) return checkPackage(from, target);
  const there = findPlace(target);
  if (!there) return [`imports ${target}, which isn't a source folder`];
  if (from.zone === "main") return checkMain(there, target);
  if (from.zone === "feature web" && FORMATS_FOR_PAGES.includes(target)) return [];
  const alike =
    from.zone === there.zone ||
    (["feature", "feature web"].includes(from.zone) && there.zone === "feature contract");
  const isOfFeature = ["feature", "feature web"].includes(from.zone);
  if (alike && isOfFeature && from.part !== there.part) return checkFeature(from, there, target);
  const own = alike && from.part === there.part;
  const to = own ? { ...there, zone: "own" } : there;
  return MAY_IMPORT[from.zone](from, to)
    ? []
    : [`imports ${target}: ${from.zone} may not import ${there.zone}`];
}

function checkPackage(from, target) {
  if (["feature web", "web", "web kit"].includes(from.zone) && SERVER_PACKAGES.test(target)) {
    return [`imports ${target.slice(8)}, which cannot run in a browser`];
  }
  if (["contract", "feature contract"].includes(from.zone) && target !== "package:zod")
    return [`imports ${target.slice(8)}: a contract imports zod only`];
  return [];
}

function checkMain(there, target) {
  if (["web", "web kit", "feature web", "gallery", "simulators", "simulators main"].includes(there.zone))
    return [`imports ${target}: main starts them, it does not import them`];
  if (there.zone === "feature" && !isFront(target))
    return [`imports ${target}: a feature is used through its index.ts`];
  return [];
}

function checkFeature(from, there, target) {
  const arrow = `${from.part}→${there.part}`;
  if (!FOR_ALL.includes(there.part) && !ARROWS.includes(arrow))
    return [`imports ${target}: the arrow ${arrow} is not in the list`];
  return isFront(target) ? [] : [`imports ${target}: a feature is used through its index.ts or contract.ts`];
}

/**
 * `reading.ts` is for threads that read files: it loads no database. `web/review.ts` and `web/remembered.ts`
 * are for parts of a page that are loaded on demand: a page that imports one loads everything at once.
 */
const isFront = (target) =>
  /^src\/features\/[^/]+\/((web\/)?index|web\/review|web\/remembered|reading|([a-z-]+\/)?contract)\.ts$/.test(
    target,
  );

/** Finds which rooms of a feature each of its rooms imports. */
function findRooms(imports) {
  const rooms = new Map();
  for (const [file, found] of imports) {
    const from = findRoom(file);
    if (from === null) continue;
    if (!rooms.has(from)) rooms.set(from, []);
    for (const { target } of found) {
      const to = findRoom(target);
      if (to !== null && to !== from && isOfSameFeature(from, to)) rooms.get(from).push({ target: to });
    }
  }
  return rooms;
}

const isOfSameFeature = (room, other) => room.split("/")[2] === other.split("/")[2];

/** Finds the room of a server file of a feature, as a path; null for one outside of rooms. */
function findRoom(path) {
  const [, area, feature, ...rest] = path.split("/");
  const inside = rest.join("/");
  if (area !== "features" || inside === "" || OF_NO_ROOM.test(inside)) return null;
  return `src/features/${feature}/${OF_ROUTES.test(inside) ? "routes" : rest[0]}`;
}

/** Finds each import cycle once, as a path. */
function findCircles(imports) {
  const done = new Set();
  const circles = [];
  const walk = (file, way) => {
    const start = way.indexOf(file);
    if (start >= 0) circles.push([...way.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    for (const { target } of imports.get(file) ?? []) walk(target, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  return circles.map((circle) => `${circle[0]} imports itself by a way round: ${circle.join(" → ")}`);
}

/** Finds the zone of a path, and its part: the feature, vendor, format or simulator. */
function findPlace(path) {
  const [top, area, part, ...rest] = path.split("/");
  if (top === "simulators")
    return { zone: area.endsWith(".ts") ? "simulators main" : "simulators", part: area };
  if (top === "gallery") return { zone: "gallery" };
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

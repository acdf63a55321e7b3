import { expect, test } from "vitest";
import {
  createLabels,
  readLabelUpload,
  reviewLabels,
  UPLOAD_HEADER,
  type LabelReview,
  type LabelUploadView,
} from "#features/labels/contract.ts";
import { findProfileFaults } from "#features/labels/layout/rules-faults.ts";
import { contentOf, GENERIC, PROFILES, toProfile } from "#features/labels/layout/rules-profiles.ts";
import { drawLabel, printZpl, type LabelDrawing } from "#features/labels/print/contract.ts";
import {
  changeProfile,
  copyProfile,
  drawProfile,
  listProfiles,
  removeProfile,
  type ProfileContent,
  type ProfileList,
  type ProfileView,
} from "#features/labels/profiles/contract.ts";
import { faultSentence } from "#features/labels/sentences-profiles.ts";
import { readLabelSettings, type LabelSettingsView } from "#features/labels/settings/contract.ts";
import { verifyLabels, type Verification } from "#features/labels/trail/contract.ts";
import type { Browser, Reply } from "../../../../test/support/browser.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../../../../test/support/labels.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { expectProblem } from "../../../../test/security/walk-endpoints.ts";

type Bands = ProfileContent["bands"];

/** The generic profile with some of its rows changed. */
const contentWith = (
  change: (bands: Bands) => unknown,
  more: Partial<ProfileContent> = {},
): ProfileContent => {
  const content = structuredClone({ ...contentOf(GENERIC), ...more });
  change(content.bands);
  return content;
};

const copy = async (browser: Browser, name: string, from = "generic"): Promise<ProfileView> =>
  (await browser.call(copyProfile, { json: { from, name } })).json() as ProfileView;
const change = (browser: Browser, { id, name }: ProfileView, content: ProfileContent): Promise<Reply> =>
  browser.call(changeProfile, { params: { profile_id: id }, json: { name, content } });
const problemOf = (reply: Reply) => {
  const { code, detail } = expectProblem(reply.headers, reply.text);
  return [reply.status, code, detail];
};

const make = async (browser: Browser, rows: object[]) => {
  const file = { name: "week12.xlsx", bytes: await labelWorkbook(rows) };
  return browser.call(createLabels, { query: {}, file });
};

test("a profile is copied, renamed and changed; labels are made with it, and those of before are printed again as they were", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  const own = await copy(owner, "Hearth Supply");
  expect(own).toMatchObject({ name: "Hearth Supply", version: 1, content: contentOf(GENERIC) });
  await setUpLabels(owner, { profile: own.id });
  const rows = [{ "PO Number": "8841203" }];
  const first = (await make(owner, rows)).headers.get(UPLOAD_HEADER) ?? "";

  const renamed = await change(owner, { ...own, name: "Hearth" }, own.content);
  expect(renamed.json()).toMatchObject({ name: "Hearth", version: 1 });
  expect((await make(owner, rows)).headers.get(UPLOAD_HEADER)).toBe(first);

  const content = contentWith((bands) => {
    delete bands[5]!.off;
    bands[5]!.zones[0]!.lines = [{ caption: "Event", text: "{vendor}", size: 12 }];
    bands[5]!.zones[0]!.title = "EVENT";
    bands[5]!.height = 30;
  });
  expect((await change(owner, own, content)).json()).toMatchObject({ version: 2, content });
  const textsOf = async (id: string) => {
    const drawn = await owner.call(drawLabel, { params: { upload_id: id, seq: "1" } });
    return (drawn.json() as LabelDrawing).texts.map(({ text }) => text);
  };
  // What a label looks like is part of what it is: changed, the same rows are new labels, with numbers of their own.
  const second = (await make(owner, rows)).headers.get(UPLOAD_HEADER) ?? "";
  expect(second).not.toBe(first);
  expect((await textsOf(second)).includes("EVENT")).toBe(true);
  expect((await textsOf(first)).includes("EVENT")).toBe(false);
  await setUpLabels(owner, { profile: "generic" });
  expect((await owner.call(removeProfile, { params: { profile_id: own.id } })).status).toBe(200);
  expect((await textsOf(second)).includes("EVENT")).toBe(true);
  const zpl = await owner.call(printZpl, { params: { upload_id: second }, json: {} });
  expect(zpl.text).toContain("^FDEVENT^FS");
});

test("labels of one upload are made by a profile and on a paper chosen for it, and keep what was odd in their sheet", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const own = await copy(owner, "Own");
  await change(owner, own, { ...own.content, required: ["department"] });
  const file = {
    name: "week12.xlsx",
    bytes: await labelWorkbook([{ "Ship To Postal Code": "2101", "Ship To State": "MA" }]),
  };
  const send = (json: object) => owner.call(createLabels, { query: {}, file, json });
  expect(problemOf(await send({ profile: own.id }))[2]).toBe("Row 2: Department is required.");
  const review = await owner.call(reviewLabels, { file, json: { profile: own.id } });
  expect((review.json() as LabelReview).error_count).toBe(1);
  expect(problemOf(await send({ profile: "none" }))).toEqual([
    400,
    "unknown_profile",
    "Choose one of the label profiles.",
  ]);
  const reply = await send({ profile: "home-improvement", paper: "letter-2" });
  // A sheet of Letter, whose labels are as wide as half of it.
  expect(/MediaBox ?\[([^\]]+)\]/.exec(reply.text)?.[1]).toBe("0 0 792 612");
  const params = { upload_id: reply.headers.get(UPLOAD_HEADER) ?? "" };
  const upload = (await owner.call(readLabelUpload, { params })).json() as LabelUploadView;
  expect(upload.remarks).toMatchObject([{ code: "zip_padded", severity: "warning", column: "F", rows: "2" }]);
  const verified = (await owner.call(verifyLabels, { params })).json() as Verification;
  expect(verified.profile).toBe("Home improvement retailer");
  const settings = (await owner.call(readLabelSettings)).json() as LabelSettingsView;
  expect([settings.profile, settings.paper]).toEqual(["generic", "roll"]);
});

test("a profile has its own name, and the one that labels are made with cannot be removed", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  const own = await copy(owner, "Hearth Supply", "dpci");
  expect(own.content).toEqual(contentOf(PROFILES[2]!));
  expect(problemOf(await owner.call(copyProfile, { json: { from: own.id, name: "hearth supply" } }))).toEqual(
    [
      409,
      "profile_name_taken",
      'Another label profile is called "hearth supply". Give this one its own name.',
    ],
  );
  expect((await owner.call(copyProfile, { json: { from: "none", name: "x" } })).status).toBe(404);
  const second = await copy(owner, "Second", own.id);
  expect(problemOf(await change(owner, { ...second, name: "HEARTH SUPPLY" }, own.content))[1]).toBe(
    "profile_name_taken",
  );
  await setUpLabels(owner, { profile: own.id });
  expect(problemOf(await owner.call(removeProfile, { params: { profile_id: own.id } }))).toEqual([
    409,
    "profile_in_use",
    '"Hearth Supply" is the profile of this company\'s labels. Choose another one in the label settings first.',
  ]);
  expect((await owner.call(removeProfile, { params: { profile_id: second.id } })).status).toBe(200);
  expect((await owner.call(removeProfile, { params: { profile_id: second.id } })).status).toBe(404);
  const lists = (await owner.call(listProfiles)).json() as ProfileList;
  expect(lists.profiles.map(({ name, version }) => [name, version])).toEqual([
    ["Generic UCC-128", 0],
    ["Home improvement retailer", 0],
    ["DPCI retailer", 0],
    ["Hearth Supply", 1],
  ]);
  expect(lists.fields.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["poNumber", "cartonOf", "fromName"]),
  );
  expect(lists.columns.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["Mark For / Store", "Department"]),
  );
  const settings = (await owner.call(readLabelSettings)).json() as LabelSettingsView;
  expect(settings.profiles.map(({ name }) => name)).toContain("Hearth Supply");
  expect((await setUpLabels(owner, { profile: second.id })).status).toBe(400);
});

test("a profile asks for its columns and digits, and its quiet zones count where bar codes are measured", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  const own = await copy(owner, "Own");
  const content = { ...own.content, required: ["department"], mark_for_digits: 4, quiet_mm: 12 };
  const wide = contentWith((bands) => (bands.at(-1)!.zones[0]!.width = 288), content);
  expect(problemOf(await change(owner, own, wide))).toEqual([
    400,
    "profile_faults",
    "Zone I: the SSCC with its quiet zones is 103.2 mm wide; its place is 101.6 mm. Make the zone wider or the quiet zones narrower.",
  ]);
  expect((await change(owner, own, { ...content, quiet_mm: 6.35 })).status).toBe(200);
  await setUpLabels(owner, { profile: own.id });
  const reply = await make(owner, [{ "Mark For / Store": "12345" }, { "Mark For / Store": "12" }]);
  expect(problemOf(reply)[2]).toBe(
    [
      "Row 2: Department is required.",
      'Row 2, column Mark For / Store: "12345" must be a number of at most 4 digits.',
      "Row 3: Department is required.",
    ].join("\n"),
  );
});

test("a label is drawn by a profile while it is edited, with what keeps it from being saved", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  const draw = async (content: ProfileContent, country: "US" | "CA" = "US") =>
    (await owner.call(drawProfile, { json: { content, country } })).json() as {
      drawing: LabelDrawing;
      faults: string[];
      remarks: string[];
    };
  const good = await draw(contentOf(GENERIC));
  expect([good.faults, good.drawing.symbols.length]).toEqual([[], 3]);
  const abroad = await draw(contentOf(GENERIC), "CA");
  expect(abroad.drawing.texts.map(({ text }) => text)).toContain("(421) 124K1A0B1");
  // Names that every object has are fields of no label.
  for (const name of ["toString", "constructor", "__proto__"]) {
    const foreign = await draw(contentWith((bands) => (bands[4]!.zones[0]!.lines![0]!.text = `{${name}}`)));
    expect(foreign.faults).toEqual([
      `Zone E: "${name}" is no field of a label. Choose one of the fields in braces.`,
    ]);
    expect(foreign.drawing.texts.map(({ text }) => text)).not.toContainEqual(expect.stringMatching("object"));
  }
  const low = await draw(contentWith((bands) => (bands.at(-1)!.zones[0]!.symbol!.height = 60)));
  expect(low.faults).toEqual(["Zone I: the barcode is 21.2 mm high; it must be 31.8 mm or more."]);
  expect(low.drawing.symbols.at(-1)?.height).toBe(60);
  const narrow = await draw(
    contentWith((bands) => {
      bands[4]!.zones[0] = { letter: "E", width: 128, title: "PO", symbol: { of: "poNumber", height: 37 } };
      bands[4]!.zones[1]!.width = 160;
    }),
  );
  expect([narrow.faults, narrow.remarks]).toEqual([
    [],
    [
      "The barcode (400) 8841203 of the sample is 60.5 mm wide with its quiet zones; its zone holds 45.2 mm. Rows like it are refused: make the zone wider.",
    ],
  ]);
});

test.each<[string, (bands: Bands) => unknown, string]>([
  [
    "zones out of order",
    (bands) => bands.splice(0, 2, bands[1]!, bands[0]!),
    "Zones must follow each other from A to I.",
  ],
  [
    "zones that are not as wide as a label",
    (bands) => (bands[0]!.zones[0]!.width = 100),
    "Zones A and B are 260 points wide; together they must be 288, as wide as a label.",
  ],
  [
    "no zone that takes the rest",
    (bands) => (bands[4]!.height = 90),
    "One row of zones, and only one, takes the remaining height.",
  ],
  [
    "more than a label is high",
    (bands) => (bands[0]!.height = 300),
    "The rows are 58.6 mm too high for a label of 6 in. Lower some of them.",
  ],
  [
    "no SSCC",
    (bands) => bands.pop(),
    "Zone I must be printed on every label, last, with the SSCC barcode, which no other zone has.",
  ],
  [
    "a bar code that is too low",
    (bands) => (bands[6]!.zones[0]!.symbol!.height = 30),
    "Zone G: the barcode is 10.6 mm high; it must be 12.7 mm or more.",
  ],
  [
    "a row that is too low for its bar code",
    (bands) => (bands[6]!.height = 50),
    "Zone G and H: the barcode and its text need a row of 21.2 mm. Make the row higher.",
  ],
  [
    "lines where a bar code is",
    (bands) => (bands[4]!.zones[0]!.symbol = { of: "poNumber", height: 37 }),
    "Zone E: its lines would be printed over its barcode. Remove the lines, or put the barcode in a zone of its own.",
  ],
  [
    "an identifier that stores do not have",
    (bands) => (bands[6]!.zones[0]!.symbol!.ai = "10"),
    "Zone G: application identifier 10 isn't one for this barcode. Stores have 90 to 99, or 410 or 413 for their GLN; purchase orders 400 or 90 to 99; bills of lading 402 or 90 to 99; all others none.",
  ],
  [
    "a field that no label has",
    (bands) => (bands[4]!.zones[0]!.lines![0]!.text = "{po}"),
    'Zone E: "po" is no field of a label. Choose one of the fields in braces.',
  ],
  [
    "a field that is not closed",
    (bands) => (bands[4]!.zones[0]!.lines![0]!.text = "{poNumber"),
    'Zone E: "{poNumber" is no field of a label. Choose one of the fields in braces.',
  ],
  [
    "more lines than fit",
    (bands) =>
      bands[1]!.zones[1]!.lines!.push({ text: "{carrier}", size: 40 }, { text: "{carrier}", size: 40 }),
    "Zone D: its lines need 17.9 mm more. Make the row higher, or the lines smaller or fewer.",
  ],
  [
    "a character that the font does not have",
    (bands) => (bands[0]!.zones[0]!.title = "发货"),
    "Zone A has the character 发 (U+53D1), which the label font can't print.",
  ],
])("a profile with %s is refused with a sentence", (_, spoil, sentence) => {
  const profile = toProfile({ id: "x", name: "x", version: 1 }, contentWith(spoil));
  expect(findProfileFaults(profile).map(faultSentence)).toEqual([sentence]);
});

test("the profiles that come with the product have no faults", () => {
  expect(PROFILES.flatMap(findProfileFaults)).toEqual([]);
});

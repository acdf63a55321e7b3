import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import { drawing } from "#features/labels/print/contract.ts";
import * as z from "zod";

/** Zones of a carton label, in the order in which they are printed. */
export const ZONES = ["A", "B", "C", "D", "E", "F", "G", "H", "I"] as const;

/** Rows of a label, zones of a row, and lines of a zone. */
export const PROFILE_LIMITS = { bands: 16, zones: 4, lines: 8 } as const;

/** Least and most of what is given in points of 1/72 inch, and of quiet zones in millimeters. */
export const PROFILE_RANGES = {
  size: { min: 6, max: 40 },
  symbol: { min: 10, max: 300 },
  width: { min: 20, max: 288 },
  height: { min: 10, max: 400 },
  quietMm: { min: 0, max: 20 },
} as const;

const within = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max);

/** `{field}` stands for what the label has there. A line of which nothing is filled is left out. */
const zoneLine = z.strictObject({
  caption: lineText().max(20).optional(),
  text: lineText().min(1).max(120),
  size: within(PROFILE_RANGES.size),
  bold: z.literal(true).optional(),
});

/** A bar code: what it holds, under which application identifier, and how high it is. */
const zoneSymbol = z.strictObject({
  of: z.enum(["postalCode", "markFor", "poNumber", "bol", "sscc"]),
  ai: lineText()
    .regex(/^\d{2,4}$/, "must be 2 to 4 digits")
    .optional(),
  height: within(PROFILE_RANGES.symbol),
});

/** A part of a band, in points of 1/72 inch. `title` is printed small at its top; `joined`: no rule at its left. */
const zone = z.strictObject({
  letter: z.enum(ZONES),
  width: within(PROFILE_RANGES.width),
  title: lineText().max(30),
  lines: z.array(zoneLine).max(PROFILE_LIMITS.lines).optional(),
  symbol: zoneSymbol.optional(),
  joined: z.literal(true).optional(),
});

/** A row of zones; one of each label has no height of its own, and takes the room that is left. */
const band = z.strictObject({
  height: z.union([within(PROFILE_RANGES.height), z.literal("rest")]),
  /** What it is printed for: labels within the US, those to other countries, or those that name a store. */
  when: z.enum(["domestic", "foreign", "markFor"]).optional(),
  /** It is there, but not printed. */
  off: z.literal(true).optional(),
  zones: z.array(zone).min(1).max(PROFILE_LIMITS.zones),
});

/** What a retailer's label looks like, and which columns it needs. */
export const profileContent = z.strictObject({
  /** Columns of a sheet, beside those that every label needs. */
  required: z.array(lineText().max(30)).max(29),
  /** Digits of a store's number, zeros in front; null for none of its own. */
  mark_for_digits: z.int().min(1).max(20).nullable(),
  /** Light space at both sides of a bar code, in millimeters, where ten modules are not enough. */
  quiet_mm: within(PROFILE_RANGES.quietMm),
  bands: z.array(band).min(1).max(PROFILE_LIMITS.bands),
});
export type ProfileContent = z.output<typeof profileContent>;

const name = lineText().trim().min(1).max(60);

const profile = z.object({
  id: z.string(),
  name: z.string(),
  /** 0 for one that comes with the product; else how often it was changed. */
  version: z.int(),
  content: profileContent,
});
export type ProfileView = z.output<typeof profile>;

const access = { kind: "member", group: "brainchild" } as const;
const admin = { ...access, admin: true } as const;
const params = z.object({ profile_id: z.uuid() });

export const listProfiles = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/profiles",
  summary: "Label profiles: those that come with the product, and the company's own",
  response: z.object({
    profiles: z.array(profile),
    /** What a line can be filled with, and what it is called. */
    fields: z.array(z.object({ id: z.string(), name: z.string() })),
    /** Columns that a profile can ask for. */
    columns: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
});
export type ProfileList = z.output<typeof listProfiles.response>;

export const copyProfile = endpoint({
  access: admin,
  method: "POST",
  path: "/api/v1/labels/profiles",
  summary: "Copies a label profile under a name of the company's own",
  body: z.strictObject({ from: lineText().max(60), name }),
  response: profile,
});

export const changeProfile = endpoint({
  access: admin,
  method: "PUT",
  path: "/api/v1/labels/profiles/:profile_id",
  summary:
    "Changes a label profile of the company; labels that were made before are printed again as they were",
  params,
  body: z.strictObject({ name, content: profileContent }),
  response: profile,
});

export const removeProfile = endpoint({
  access: admin,
  method: "DELETE",
  path: "/api/v1/labels/profiles/:profile_id",
  summary: "Removes a label profile of the company, unless it is the one that labels are made with",
  params,
  response: z.object({}),
});

export const drawProfile = endpoint({
  access,
  method: "POST",
  path: "/api/v1/labels/profiles/drawing",
  summary: "Draws a label with sample data by a profile that is being edited, and says what is wrong with it",
  body: z.strictObject({ content: profileContent, country: z.enum(["US", "CA"]) }),
  response: z.object({
    drawing,
    /** What keeps it from being saved. */
    faults: z.array(z.string()),
    /** What its bar codes have no room for. */
    remarks: z.array(z.string()),
  }),
});

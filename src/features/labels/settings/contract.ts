import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import { paper, printOrder } from "#features/labels/print/contract.ts";
import * as z from "zod";

const part = (max: number) => lineText().trim().max(max);

const shipFrom = z.object({
  code: part(12).min(1),
  name: part(35).min(1),
  address1: part(35),
  address2: part(35),
  city: part(30),
  state: part(3),
  postal_code: part(10),
});

/** How many numbers a prefix has with the company's extension digit, and how many of them are left. */
const serials = z.object({ total: z.int(), left: z.int(), is_low: z.boolean() });

/** What a company says once about its labels. */
const settings = z.object({
  /** The GS1 company prefix, 4 to 12 digits; null while nobody has entered it. */
  prefix: z.string().nullable(),
  extension: z.int().min(0).max(9),
  next_serial: z.int().min(0),
  profile: z.string(),
  resolution: z.enum(["203", "300", "600"]),
  /** How labels are printed where nothing else is chosen. */
  paper,
  order: printOrder,
  separators: z.boolean(),
  /** The first one is printed where a sheet names none. */
  ship_froms: z.array(shipFrom),
  /** Profiles to choose from. */
  profiles: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Of the prefix; null while there is none. */
  serials: serials.nullable(),
  /** More GS1 prefixes of the company, one of which an upload may be made of. */
  other_prefixes: z.array(z.object({ prefix: z.string(), next_serial: z.int().min(0), serials })),
});
export type LabelSettingsView = z.output<typeof settings>;

export const readLabelSettings = endpoint({
  access: { kind: "member", group: "brainchild" },
  method: "GET",
  path: "/api/v1/labels/settings",
  summary: "What a company said of its labels: GS1 prefix, serials, ship-from addresses, profile and printer",
  response: settings,
});

const prefix = lineText().regex(/^\d{4,12}$/, "must be 4 to 12 digits");

export const labelSettingsChange = settings
  .pick({ extension: true, profile: true, resolution: true, paper: true, order: true, separators: true })
  .extend({
    prefix,
    /** Numbers below it are never given. */
    next_serial: z.int().min(0).optional(),
    other_prefixes: z.array(z.object({ prefix, next_serial: z.int().min(0).optional() }).strict()).max(20),
    ship_froms: z.array(shipFrom).max(50),
  })
  .strict();
export type LabelSettingsChange = z.output<typeof labelSettingsChange>;

export const changeLabelSettings = endpoint({
  access: { kind: "member", group: "brainchild", admin: true },
  method: "PUT",
  path: "/api/v1/labels/settings",
  summary: "Changes what a company said of its labels",
  body: labelSettingsChange,
  response: settings,
});

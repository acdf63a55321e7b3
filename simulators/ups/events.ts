/** One thing that can happen to a package. `place` is where. */
type EventFacts = {
  type: string;
  code: string;
  /** The three-digit code, which is finer than type and code. */
  statusCode: string;
  description: string;
  place: "country" | "origin" | "hub" | "destination";
};

export const EVENTS = {
  billed: {
    type: "M",
    code: "MP",
    statusCode: "003",
    description: "Shipper created a label, UPS has not received the package yet. ",
    place: "country",
  },
  voided: {
    type: "MV",
    code: "VP",
    statusCode: "007",
    description: "Voided Information Received",
    place: "country",
  },
  origin: { type: "I", code: "OR", statusCode: "005", description: "Origin Scan", place: "origin" },
  departed: {
    type: "I",
    code: "DP",
    statusCode: "005",
    description: "Departed from Facility",
    place: "origin",
  },
  arrived: { type: "I", code: "AR", statusCode: "005", description: "Arrived at Facility", place: "hub" },
  out_for_delivery: {
    type: "I",
    code: "OT",
    statusCode: "021",
    description: "Out For Delivery",
    place: "destination",
  },
  attempted: {
    type: "X",
    code: "48",
    statusCode: "022",
    description: "The receiver was not available for delivery. ",
    place: "destination",
  },
  exception: {
    type: "X",
    code: "AG",
    statusCode: "048",
    description: "Severe weather conditions have delayed delivery.",
    place: "hub",
  },
  returning: {
    type: "X",
    code: "RS",
    statusCode: "033",
    description: "The package is being returned to the sender.",
    place: "destination",
  },
  returned: {
    type: "X",
    code: "RS",
    statusCode: "036",
    description: "The package was returned to the sender.",
    place: "origin",
  },
  at_access_point: {
    type: "D",
    code: "2Q",
    statusCode: "161",
    description: "Delivered to UPS Access Point",
    place: "destination",
  },
  collected: {
    type: "D",
    code: "9E",
    statusCode: "011",
    description: "DELIVERED ",
    place: "destination",
  },
  delivered: { type: "D", code: "FS", statusCode: "011", description: "DELIVERED ", place: "destination" },
} as const satisfies Readonly<Record<string, EventFacts>>;

export type EventName = keyof typeof EVENTS;

/** A planned event. It has happened once the simulator's clock passes `at`, in milliseconds since 1970. */
export type Step = { at: number; event: EventName };

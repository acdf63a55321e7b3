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
  going_back: { type: "I", code: "AR", statusCode: "005", description: "Arrived at Facility", place: "hub" },
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
  picked_up: {
    type: "I",
    code: "PU",
    statusCode: "038",
    description: "Picked up",
    place: "origin",
  },
  dropped_off: {
    type: "I",
    code: "XD",
    statusCode: "039",
    description: "Drop-Off",
    place: "origin",
  },
  preparing: {
    type: "I",
    code: "YP",
    statusCode: "071",
    description: "Processing at UPS Facility",
    place: "destination",
  },
  loaded: {
    type: "D",
    code: "OF",
    statusCode: "006",
    description: "Loaded on Delivery Vehicle",
    place: "destination",
  },
  exported: {
    type: "I",
    code: "EP",
    statusCode: "010",
    description: "Export Scan",
    place: "hub",
  },
  imported: {
    type: "I",
    code: "IP",
    statusCode: "014",
    description: "Import Scan",
    place: "hub",
  },
  clearing: {
    type: "X",
    code: "C8",
    statusCode: "012",
    description: "Import clearance is in progress. ",
    place: "hub",
  },
  cleared: {
    type: "X",
    code: "CC",
    statusCode: "003",
    description: "Your package was released by the customs agency.",
    place: "hub",
  },
  handed_over: {
    type: "I",
    code: "TP",
    statusCode: "057",
    description: "Package transferred to post office",
    place: "destination",
  },
  at_post_office: {
    type: "D",
    code: "P1",
    statusCode: "144",
    description: "Delivered to Post Office for Pickup",
    place: "destination",
  },
  by_post_office: {
    type: "D",
    code: "P2",
    statusCode: "026",
    description: "Delivered by Local Post Office",
    place: "destination",
  },
  by_agent: {
    type: "D",
    code: "A1",
    statusCode: "143",
    description: "Delivered by agent",
    place: "destination",
  },
  closed: {
    type: "X",
    code: "49",
    statusCode: "023",
    description: "The business was closed when we attempted delivery.",
    place: "destination",
  },
  last_attempt: {
    type: "X",
    code: "50",
    statusCode: "024",
    description: "The final attempt has been made. ",
    place: "destination",
  },
  wrong_address: {
    type: "X",
    code: "17",
    statusCode: "013",
    description: "The street number is incorrect. This may delay delivery.",
    place: "destination",
  },
  damaged: {
    type: "X",
    code: "G2",
    statusCode: "029",
    description: "The package was damaged in transit.",
    place: "hub",
  },
  late_trailer: {
    type: "X",
    code: "L1",
    statusCode: "046",
    description: "A late UPS trailer arrival has delayed delivery.",
    place: "hub",
  },
  missed: {
    type: "X",
    code: "MS",
    statusCode: "053",
    description: "The package was missorted at the facility.",
    place: "hub",
  },
  refused: {
    type: "X",
    code: "51",
    statusCode: "034",
    description: "The receiver refused the package. It will be returned.",
    place: "destination",
  },
  undeliverable: {
    type: "X",
    code: "52",
    statusCode: "035",
    description: "The package is on its way back to the sender.",
    place: "hub",
  },
  ready_for_pickup: {
    type: "X",
    code: "HP",
    statusCode: "017",
    description: "The package is ready for pickup.",
    place: "destination",
  },
  redirected: {
    type: "I",
    code: "RD",
    statusCode: "083",
    description: "The package is held at the receiver's request.",
    place: "destination",
  },
  delivered: { type: "D", code: "FS", statusCode: "011", description: "DELIVERED ", place: "destination" },
} as const satisfies Readonly<Record<string, EventFacts>>;

export type EventName = keyof typeof EVENTS;

/** A planned event. It has happened once the simulator's clock passes `at`, in milliseconds since 1970. */
export type Step = { at: number; event: EventName };

type Service = { name: string; lane: "domestic" | "international"; times: number };

/** Services from the US, and by how much each costs more than Ground. */
export const SERVICES: Readonly<Record<string, Service>> = {
  "01": { name: "UPS Next Day Air", lane: "domestic", times: 3.2 },
  "02": { name: "UPS 2nd Day Air", lane: "domestic", times: 2 },
  "03": { name: "UPS Ground", lane: "domestic", times: 1 },
  "12": { name: "UPS 3 Day Select", lane: "domestic", times: 1.5 },
  "13": { name: "UPS Next Day Air Saver", lane: "domestic", times: 2.8 },
  "14": { name: "UPS Next Day Air Early", lane: "domestic", times: 4 },
  "59": { name: "UPS 2nd Day Air A.M.", lane: "domestic", times: 2.3 },
  "07": { name: "UPS Worldwide Express", lane: "international", times: 6 },
  "08": { name: "UPS Worldwide Expedited", lane: "international", times: 5 },
  "11": { name: "UPS Standard", lane: "international", times: 2.5 },
  "17": { name: "UPS Worldwide Economy DDU", lane: "international", times: 3 },
  "54": { name: "UPS Worldwide Express Plus", lane: "international", times: 7 },
  "65": { name: "UPS Worldwide Saver", lane: "international", times: 5.5 },
  "72": { name: "UPS Worldwide Economy DDP", lane: "international", times: 3.3 },
};

/** Whether both ends are in one country, or in the US and Puerto Rico's own lane. */
export const isDomestic = (from: string, to: string): boolean => from === to;

/** UPS's names of its services by code. */
const SERVICES: Readonly<Record<string, string>> = {
  "01": "UPS Next Day Air",
  "02": "UPS 2nd Day Air",
  "03": "UPS Ground",
  "12": "UPS 3 Day Select",
  "13": "UPS Next Day Air Saver",
  "14": "UPS Next Day Air Early",
  "59": "UPS 2nd Day Air A.M.",
};

/** All of them, the usual one first. */
export const SERVICE_LIST: readonly { code: string; name: string }[] = Object.entries(SERVICES)
  .map(([code, name]) => ({ code, name }))
  .toSorted((a, b) => Number(b.code === "03") - Number(a.code === "03"));

export const findServiceName = (code: string): string | undefined => SERVICES[code];

export const serviceName = (code: string): string => findServiceName(code) ?? "Unknown service";

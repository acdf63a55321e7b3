const PACIFIC = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/Los_Angeles",
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "longOffset",
});

/** Formats a time like `MetaData`: Pacific offset, no fraction. */
export function metaTime(instant: Date): string {
  const { local, offset } = pacific(instant);
  return `${local}${offset}`;
}

/** Formats a time like the envelope: Pacific offset, milliseconds. */
export function envelopeTime(instant: Date): string {
  const { local, offset } = pacific(instant);
  return `${local}.${String(instant.getMilliseconds()).padStart(3, "0")}${offset}`;
}

type PacificTime = { local: string; offset: string };

/** Cached for the last second: many objects are written in the same one. */
let last: { second: number; time: PacificTime } | undefined;

function pacific(instant: Date): PacificTime {
  const second = Math.floor(instant.getTime() / 1000);
  if (last?.second !== second) last = { second, time: formatPacific(instant) };
  return last.time;
}

function formatPacific(instant: Date): PacificTime {
  const part = Object.fromEntries(PACIFIC.formatToParts(instant).map((p) => [p.type, p.value]));
  return {
    local: `${part["year"]}-${part["month"]}-${part["day"]}T${part["hour"]}:${part["minute"]}:${part["second"]}`,
    offset: String(part["timeZoneName"]).replace("GMT", ""),
  };
}

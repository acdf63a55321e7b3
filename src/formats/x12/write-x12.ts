/** A segment: its name and its elements, undefined for those that are left out. */
export type Segment = readonly [string, ...(string | number | undefined)[]];

/** What divides elements and segments, and parts of elements, may not be in them. */
const ELEMENT = "*";
const PART = ">";
const END = "~\n";

/** A segment as text; elements at its end that are left out have no divider either. */
export function segmentLine([name, ...elements]: Segment): string {
  const texts = elements.map((element) => plain(String(element ?? "")));
  while (texts.at(-1) === "") texts.pop();
  return `${[name, ...texts].join(ELEMENT)}${END}`;
}

/** Letters without their accents; what X12 has no character for becomes a space. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^ -~]|[*>~]/g, " ")
    .trim();

export type Interchange = {
  /** Two letters of what is in it, "SH". */
  kind: string;
  sender: string;
  receiver: string;
  at: Date;
};

/** What an interchange for tries begins with; its numbers are 1. */
export function beginInterchange({ kind, sender, receiver, at }: Interchange): string {
  const [day, time] = momentOf(at);
  const who = (name: string) => plain(name).padEnd(15).slice(0, 15);
  const blank = " ".repeat(10);
  const head = ["ISA", "00", blank, "00", blank, "ZZ", who(sender), "ZZ", who(receiver), day.slice(2), time];
  return (
    [...head, "U", "00401", CONTROL, "0", "T", PART].join(ELEMENT) +
    END +
    segmentLine(["GS", kind, sender, receiver, day, time, 1, "X", "004010"])
  );
}

const CONTROL = "000000001";

export const endInterchange = (sets: number): string =>
  segmentLine(["GE", sets, 1]) + segmentLine(["IEA", 1, CONTROL]);

/** Day and time as X12 writes them, of UTC. */
export function momentOf(at: Date): [string, string] {
  const text = at.toISOString();
  return [text.slice(0, 10).replaceAll("-", ""), text.slice(11, 16).replace(":", "")];
}

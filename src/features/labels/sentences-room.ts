import { numberParam as number, textParam as text } from "#formats/facts.ts";
import type { Problem } from "#formats/table/problem.ts";
import { quote } from "#formats/text/phrases.ts";

/** What a label has no room for; undefined for every other problem. */
export function roomSentence({ code, value, params }: Problem, header: string): string | undefined {
  const shown = quote(value);
  const mm = (name: string) => `${number(params, name).toFixed(1)} mm`;
  const long = () =>
    `its line would be ${mm("widthMm")} wide, its place is ${mm("roomMm")} and has no line more. About ${number(params, "count")} characters fit.`;
  const what = () =>
    text(params, "paper") === "letter-4"
      ? " on a quarter of a Letter sheet. Choose another paper."
      : ". Leave one of its cells blank, or make the zone higher in its label profile.";
  const sentences: Record<string, () => string> = {
    text_long: () => `${header} ${shown} has no room on the label: ${long()} Shorten it.`,
    ship_from_long: () =>
      `${header}: ${shown} of the ship-from address has no room on the label: ${long()} Shorten it in the label settings.`,
    label_low: () =>
      `${header} ${shown} has no room on the label: zone ${text(params, "zone")} is ${mm("overMm")} too low for all of its lines${what()}`,
  };
  return sentences[code]?.();
}

/** States and territories whose postal codes begin with one or two zeros. */
const ZERO_STATES: ReadonlySet<string> = new Set(
  "MA NJ CT ME NH RI VT PR VI MASSACHUSETTS CONNECTICUT MAINE VERMONT"
    .split(" ")
    .concat("NEW JERSEY", "NEW HAMPSHIRE", "RHODE ISLAND", "PUERTO RICO"),
);

const US_NAMES: ReadonlySet<string> = new Set(["", "US", "USA", "UNITED STATES", "UNITED STATES OF AMERICA"]);

/**
 * Gives a US postal code back the zeros that Excel takes from a number: "2134" of MA is "02134".
 * @returns undefined for a code that lacks none; one that is too short but of another state is left as it is
 */
export function restorePostalCode(
  code: string,
  place: { state: string | undefined; country: string | undefined },
): { code: string; isRestored: boolean } | undefined {
  if (!/^\d{3,4}$/.test(code) || !US_NAMES.has((place.country ?? "").trim().toUpperCase())) return undefined;
  const isRestored = ZERO_STATES.has((place.state ?? "").trim().toUpperCase());
  return { code: isRestored ? code.padStart(5, "0") : code, isRestored };
}

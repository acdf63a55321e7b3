/** First and last three-digit ZIP prefix of each state. */
const RANGES =
  `AL 350-369, AK 995-999, AZ 850-865, AR 716-729, CA 900-961, CO 800-816, CT 060-069, DE 197-199,
DC 200-205, FL 320-339, FL 341-349, GA 300-319, GA 398-399, HI 967-968, ID 832-838, IL 600-629, IN 460-479, IA 500-528, KS 660-679,
KY 400-427, LA 700-714, ME 039-049, MD 206-219, MA 010-027, MI 480-499, MN 550-567, MS 386-397, MO 630-658, MT 590-599,
NE 680-693, NV 889-898, NH 030-038, NJ 070-089, NM 870-884, NY 100-149, NY 005-005, NC 270-289, ND 580-588, OH 430-459,
OK 730-732, TX 733-733, OK 734-749, OR 970-979, PA 150-196, PR 006-007, PR 009-009, VI 008-008, RI 028-029, SC 290-299, SD 570-577, TN 370-385, TX 750-799, TX 885-885,
UT 840-847, VT 050-059, VA 201-201, VA 220-246, WA 980-994, WV 247-268, WI 530-549, WY 820-831, MA 055-055, NY 063-063, AE 090-098, AA 340-340, AP 962-966, GU 969-969`
    .split(",")
    .map((range) => /(\w\w) (\d+)-(\d+)/.exec(range) ?? []);

const STATES = new Set(RANGES.map(([, state]) => state));

export const isState = (code: string): boolean => STATES.has(code);

/** Whether a US ZIP code is in a state. @param zip five or nine digits */
export const fitsState = (zip: string, state: string): boolean =>
  RANGES.some(
    ([, each, first = "", last = ""]) =>
      each === state && zip.slice(0, 3) >= first && zip.slice(0, 3) <= last,
  );

/** Cities of ZIP codes that the simulator knows; any city fits other ZIP codes. */
const CITIES: Record<string, readonly string[]> = {
  "94043": ["MOUNTAIN VIEW"],
  "94607": ["OAKLAND"],
  "30339": ["ATLANTA"],
  "10001": ["NEW YORK"],
  "60601": ["CHICAGO"],
  "73301": ["AUSTIN"],
  "98101": ["SEATTLE"],
  "62701": ["SPRINGFIELD"],
};

export const fitsCity = (zip: string, city: string): boolean =>
  CITIES[zip.slice(0, 5)]?.includes(city.trim().toUpperCase()) ?? true;

/** Letters missing from the standard encoding of PDF, by the file of the embedded font that has them. */
export type Script = "latin" | "latin-ext" | "vietnamese" | "greek" | "cyrillic";

/**
 * Widths of these letters in thousandths of the font size; each width precedes the letters that have it. They are those of
 * Arimo, which equals Helvetica for every letter of both.
 */
const WIDTHS: Readonly<Record<Script, { regular: string; bold: string }>> = {
  latin: { regular: "278ı", bold: "278ı" },
  "latin-ext": {
    regular:
      "222įĵĺļłſ 278ĨĩĪīĬĭĮİţŧț 292ľ 333ŕŗř 334ŀ 375ť 444ĳ 500ćĉċčĴķĸśŝşŷźżș 556āăąđēĕėęěĝğġģĥħĹĻĽĿŁńņňŋōŏőũūŭůűų 604ŉ 611ŢŤŦŹŻȚ 615ď 667ĀĂĄĒĔĖĘĚĶŚŜŞŶȘ 703ẞ 722ĆĈĊČĎĐĤĦŃŅŇŔŖŘŨŪŬŮŰŲŵẁẃẅ 723Ŋ 735Ĳ 778ĜĞĠĢŌŎŐ 944ŴẀẂẄ",
    bold: "278ĨĩĪīĬĭĮįİĵĺļłſ 333ţŧț 385ľ 389ŕŗř 479ŀť 500źż 556āăąćĉċčēĕėęěĳĴķĸśŝşŷș 611đĝğġģĥħĹĻĽĿŁńņňŋōŏőŢŤŦũūŭůűųŹŻȚ 667ĒĔĖĘĚŚŜŞŶȘ 708ŉ 715ẞ 719ď 722ĀĂĄĆĈĊČĎĐĤĦĶŃŅŇŔŖŘŨŪŬŮŰŲ 723Ŋ 778ĜĞĠĢŌŎŐŵẁẃẅ 785Ĳ 944ŴẀẂẄ",
  },
  vietnamese: {
    regular:
      "222ỉị 278ỈỊ 500ỳỵỷỹ 556ạảấầẩẫậắằẳẵặẹẻẽếềểễệọỏốồổỗộụủ 656ơớờởỡợ 667ẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỲỴỶỸ 669ưứừửữự 722ỤỦ 778ỌỎỐỒỔỖỘ 854ƯỨỪỬỮỰ 857ƠỚỜỞỠỢ",
    bold: "278ỈỉỊị 556ạảấầẩẫậắằẳẵặẹẻẽếềểễệỳỵỷỹ 611ọỏốồổỗộụủ 667ẸẺẼẾỀỂỄỆỲỴỶỸ 711ơớờởỡợ 722ẠẢẤẦẨẪẬẮẰẲẴẶỤỦ 724ưứừửữự 778ỌỎỐỒỔỖỘ 830ƯỨỪỬỮỰ 853ƠỚỜỞỠỢ",
  },
  greek: {
    regular:
      "222ΐίιϊ 278ΙΪ 384Ί 395τ 441ζ 446έε 448ξ 482ς 500γκλν 525χ 547ΰυϋύ 551Γ 556ήηθοό 557δ 569ρ 575β 576μ 578άα 611ΖΤ 617σ 618Σ 648φ 650Ξ 667ΆΑΒΕΚΡΥΧΫ 668ΔΛ 690π 713ψ 722ΗΝΠ 748Ω 752Ώ 774Ό 778ΘΟ 781ωώ 784Έ 798Φ 833Μ 835Ψ 838Ή 855Ύ",
    bold: "278ΐΙΪίιϊ 445ξ 446τ 451έ 460ζ 474Ί 475ε 520ς 541θ 556γλν 558κ 576χ 582ΰυϋύ 600Σ 601Γ 606δ 610β 611ΖΤήηοό 612μ 615άα 619ρ 644Ξ 667ΕΛΡΥΧΫ 684σ 715φ 719Δ 722ΆΑΒΗΚΝΠ 753ψ 766π 778ΘΟ 802Ω 809Ψ 821Φ 825Ό 833Μ 838Ώ 845ωώ 853Έ 906Ή 927Ύ",
  },
  cyrillic: {
    regular:
      "222іј 278ІЇї 365гѓ 411ґ 438кќ 458зт 489Ґ 500Јсухѕў 510эє 521чь 531в 542ЃГпя 552нџ 556аеорѐёђћ 559ийѝ 573бц 583ЌКдл 604З 611Т 625ъ 635ЎУ 656БЛЬ 667ЀЁЅАВЕРХЧ 669ж 677Д 688м 719ЄЍЏИЙПЭы 722НСЯ 740Ц 750ю 760Ф 778О 792Ъ 802ш 813њ 823фщ 833М 854Ћ 865Ђ 885Ы 906љ 917Ш 923Ж 938Щ 1010ЊЮ 1057Љ",
    bold: "276Ї 278Ііј 281ї 417гѓ 447ґ 487Ґ 490т 497з 500кќ 552эє 556Јаесухѐёѕў 567ЃГ 581ч 583я 604нпџ 610ЌК 611Торђћ 615вийцьѝ 618б 622ЎУ 626З 635дл 667ЀЅЕРХ 669Ё 702Л 703Ч 709ж 711ЄЭ 712Д 719ЍЏБИЙПЬЯ 722АВНС 729ъ 730Ц 740м 778О 833Мш 844щ 854Фыю 870Ъ 875Ћф 885Ђ 904Ж 906њ 969љ 979Ы 1005Ш 1019Щ 1031Ю 1063Њ 1094Љ",
  },
};

/** A letter: its font file, and its width in both faces. */
export type OtherLetter = { script: Script; regular: number; bold: number };

const LETTERS = new Map<string, OtherLetter>();
for (const [script, { regular, bold }] of Object.entries(WIDTHS) as [
  Script,
  { regular: string; bold: string },
][]) {
  const bolds = widthsIn(bold);
  for (const [letter, width] of widthsIn(regular))
    LETTERS.set(letter, { script, regular: width, bold: bolds.get(letter) ?? width });
}

function widthsIn(table: string): Map<string, number> {
  return new Map(
    table.split(" ").flatMap((entry) => {
      const width = Number.parseInt(entry, 10);
      return Array.from(entry.slice(String(width).length)).map((letter) => [letter, width] as const);
    }),
  );
}

/** Finds a letter of the embedded font; undefined if it has none either. */
export const findLetter = (character: string): OtherLetter | undefined => LETTERS.get(character);

/** Lists all these letters. */
export const OTHER_LETTERS: ReadonlyMap<string, OtherLetter> = LETTERS;

/** Widths of the characters from space to tilde in thousandths of the font size, from Adobe's metrics of its standard fonts. */
const REGULAR =
  "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
    .split(" ")
    .map(Number);
const BOLD =
  "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584"
    .split(" ")
    .map(Number);

/** For characters without a base letter. Wider than most letters: no text may be wider than measured. */
const OTHER = 1000;

/** Measures a line in points. Letters with accents are as wide as those without. */
export function measureText(text: string, size: number, isBold: boolean): number {
  const widths = isBold ? BOLD : REGULAR;
  let width = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    width += (code < 127 ? widths[code - 32] : widthOfOther(text.charAt(at), isBold)) ?? OTHER;
  }
  return (width * size) / 1000;
}

const widthOfOther = (character: string, isBold: boolean): number | undefined =>
  findLetter(character)?.[isBold ? "bold" : "regular"] ??
  (isBold ? BOLD : REGULAR)[character.normalize("NFD").charCodeAt(0) - 32];

/** Characters beyond Latin-1 in the standard encoding of PDF, with their codes. */
const ENCODED = new Map(
  [..."€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ"].map((character, at) => [character, 0x80 + at] as const),
);
ENCODED.delete("\0");

const PLAIN = /^[ -~\u00A0-\u00FF]*$/;

/** Whether the standard encoding has every character of a text, as it does for almost every text. */
export const isPlain = (text: string): boolean => PLAIN.test(text);

/** Finds the first character of a text that no font here can print; undefined if all can be printed. */
export const unprintableIn = (text: string): string | undefined =>
  isPlain(text)
    ? undefined
    : [...text.normalize("NFC")].find(
        (character) => !isPlain(character) && !ENCODED.has(character) && !findLetter(character),
      );

/** Whether a text has letters that a printer's own fonts may lack: those beyond the standard encoding of PDF. */
export const hasRareLetters = (text: string): boolean =>
  !isPlain(text) && [...text.normalize("NFC")].some((character) => encodeCharacter(character) === undefined);

/** Encodes a character in the standard encoding of PDF; undefined if it is not in it. */
export function encodeCharacter(character: string): string | undefined {
  if (isPlain(character)) return character;
  const place = ENCODED.get(character);
  return place === undefined ? undefined : String.fromCharCode(place);
}

/** Letters that the standard encoding of PDF does not have, by the file of the embedded font that has them. */
export type Script = "latin" | "latin-ext" | "vietnamese" | "greek" | "cyrillic";

/**
 * Their widths in thousandths of the size, each before the letters that are as wide: those of Arimo, which is as wide as
 * Helvetica where both have a letter.
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

/** A letter: where it is, and how wide in both faces. */
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

/** Undefined for a character that the embedded font does not have either. */
export const findLetter = (character: string): OtherLetter | undefined => LETTERS.get(character);

/** Every such letter. */
export const OTHER_LETTERS: ReadonlyMap<string, OtherLetter> = LETTERS;

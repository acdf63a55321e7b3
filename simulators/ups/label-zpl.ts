import {
  addressLines,
  billingLine,
  isSample,
  maxicodeMessage,
  postalText,
  referenceLine,
  spaced,
  type LabelFacts,
} from "./label-art.ts";
import { SERVICES } from "./services.ts";

/** The label for a thermal printer of 203 dpi, printed upside down, with UPS's line ends. */
export function writeZpl({ shipment, pack }: LabelFacts): Buffer {
  const { shipFrom, shipTo } = shipment;
  const text = (x: number, y: number, { size, line }: { size: number; line: string }) =>
    `^FT${x},${y}^A0N,${size},${Math.round(size * 1.1)}^FH^FD${escaped(line)}^FS`;
  const lines = [
    "^XA^LRN^MNY^MFN,N^LH10,12^MCY^POI^PW812^CI27",
    ...addressLines({ ...shipFrom, lines: shipFrom.lines.slice(0, 1) }).map((line, at) =>
      text(12, 30 + at * 24, { size: 22, line }),
    ),
    text(450, 36, { size: 28, line: `${pack.weightLb} LBS` }),
    text(640, 36, { size: 28, line: `${pack.number} OF ${shipment.packageCount}` }),
    text(12, 190, { size: 26, line: "SHIP TO:" }),
    ...addressLines(shipTo).map((line, at) => text(60, 222 + at * 30, { size: 28, line })),
    "^FO0,405^GB800,4,4^FS",
    ...(isSample(pack) ? [text(30, 540, { size: 52, line: "SAMPLE" })] : codes({ shipment, pack })),
    text(300, 470, { size: 52, line: `${shipTo.state} ${shipTo.postal}` }),
    "^FO0,640^GB800,4,4^FS",
    text(12, 690, { size: 44, line: SERVICES[shipment.service]?.name.toUpperCase() ?? "" }),
    text(12, 735, { size: 28, line: `TRACKING #: ${spaced(pack.tracking)}` }),
    "^FO0,758^GB800,4,4^FS",
    "^FO0,985^GB800,4,4^FS",
    text(12, 1018, { size: 24, line: billingLine(shipment) }),
    ...pack.references.map((reference, at) =>
      text(12, 1048 + at * 28, { size: 24, line: referenceLine(reference, at) }),
    ),
    text(60, 1170, { size: 44, line: "SIMULATED, NOT FOR SHIPPING" }),
    "^XZ",
  ];
  return Buffer.from(`\n${lines.join("\r\n")}\r\n`, "latin1");
}

const codes = ({ shipment, pack }: LabelFacts): string[] => [
  `^FO15,420^BD3^FH^FD${maxicodeField({ shipment, pack })}^FS`,
  `^FO310,495^BY3^BCN,120,N,N,N,N^FD>;>8${postalText(shipment.shipTo).replace("^FNC1", "")}^FS`,
  `^FO90,776^BY3^BCN,190,N,N,N,A^FD${pack.tracking}^FS`,
];

/**
 * Writes bytes that ZPL reads as commands in hexadecimal after `_`, which `^FH` allows. The label has one byte
 * per character (`^CI27`).
 */
const escaped = (line: string): string =>
  line
    .replace(/[^\x00-\xff]/g, "?")
    .replace(/[_^~\x00-\x1f]/g, (character) => `_${hex(character.charCodeAt(0))}`);
const hex = (code: number) => code.toString(16).toUpperCase().padStart(2, "0");

/** Class of service, country and postal code, then the message with which the symbol's data begins. */
function maxicodeField({ shipment, pack }: LabelFacts): string {
  const { postal } = shipment.shipTo;
  const head = `${shipment.service.padStart(3, "0")}840${postal.slice(0, 6).padEnd(6, " ")}`;
  return escaped(`${head}[)>\x1e01\x1d96${maxicodeMessage({ shipment, pack })}\x1e\x04`);
}

import { blankBitmap, fillBox } from "./bitmap.ts";
import type { Step } from "./events.ts";
import { encodeGif, encodePng } from "./pictures.ts";
import type { Package, Shipment } from "./records.ts";
import { SERVICES } from "./services.ts";
import { localTime } from "./track-time.ts";

type Proof = { shipment: Shipment; pack: Package; delivery: Step; now: number };

const shownDay = (at: number, state: string): string => {
  const { date } = localTime(at, state);
  return `${date.slice(4, 6)}/${date.slice(6)}/${date.slice(0, 4)}`;
};

function shownTime(at: number, state: string): string {
  const { time } = localTime(at, state);
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 === 0 ? 12 : hour % 12}:${time.slice(2, 4)} ${hour < 12 ? "A.M." : "P.M."}`;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/**
 * The proof of delivery, with the defects that UPS's pages have: a `mets` tag in place of `meta`, so no charset
 * is declared; stray closing `span`; `br` with a closing tag. Its labels are in the words of a page published in 2024.
 */
export function deliveryPage({ shipment, pack, delivery, now }: Proof): string {
  const { shipTo } = shipment;
  const rows: readonly (readonly [string, string])[] = [
    ["Tracking Number", pack.tracking],
    ...pack.references.map(({ value }) => ["Reference Number(s)", value] as const),
    ["Service Type", `${SERVICES[shipment.service]?.name ?? ""}`],
    ["Package Weight", `${pack.weightLb.toFixed(2)} LBS`],
    ["Shipped or Billed on", shownDay(shipment.createdAt, shipment.shipFrom.state)],
    ["Delivered on", `${shownDay(delivery.at, shipTo.state)} ${shownTime(delivery.at, shipTo.state)}`],
    ["Delivered to", `${shipTo.city.toUpperCase()}, ${shipTo.state}, ${shipTo.country}`],
    ["Received by", shipment.residential ? "DRIVER RELEASE" : shipTo.name.toUpperCase()],
  ];
  return `<!DOCTYPE html>
<html>
<head>
<mets http-equiv="Content-Type" content="text/html; charset=utf-8">
<title>Delivery Notification</title>
</head>
<body>
<h1>Delivery Notification</h1></span>
<p>Dear Customer,<br></br>This notice serves as proof of delivery for the shipment listed below. Simulated: it proves nothing.</p>
${rows.map(([label, value]) => `<div>${label} : ${escaped(value)}</span></div>`).join("\n")}
<p>Sincerely,<br></br>UPS, simulated</p></span>
<p>Tracking results provided by UPS: ${shownDay(now, shipTo.state)} ${shownTime(now, shipTo.state)} EST</p>
</body>
</html>
`;
}

/** A scribble that differs from package to package. */
export function signaturePicture(tracking: string, format: "png" | "gif"): Buffer {
  const picture = blankBitmap(300, 80);
  const seed = [...tracking].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 9973, 7);
  for (let t = 0; t < 2000; t += 1) {
    const x = 15 + Math.round((t / 2000) * 260);
    const wave = Math.sin(t / (60 + (seed % 40))) * 20 + Math.sin(t / (23 + (seed % 11))) * 12;
    fillBox(picture, { x, y: 40 + Math.round(wave), width: 3, height: 2 });
  }
  return format === "gif" ? encodeGif(picture) : encodePng(picture);
}

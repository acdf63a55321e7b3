import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { GifReader } from "omggif";
import { expect, test } from "vitest";
import { ready } from "zpl-renderer-js";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import type { Doc } from "../kit/test-call.ts";
import { packageBody, shipBody, startTestUps } from "./test-kit.ts";

const ups = await startTestUps();
const acme = await ups.connect();
const wasm = await readFile(createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm"));
await prepareZXingModule({ overrides: { wasmBinary: wasm.buffer as ArrayBuffer }, fireImmediately: true });

async function makeLabel(format: string) {
  const answer = await acme(
    "POST",
    "shipments/v2409/ship",
    shipBody({ "LabelSpecification.LabelImageFormat.Code": format }, [packageBody()]),
  );
  const [pack] = answer.body["ShipmentResponse"]!["ShipmentResults"]!["PackageResults"] as unknown as Doc[];
  return {
    number: String(pack!["TrackingNumber"]),
    bytes: Buffer.from(String(pack!["ShippingLabel"]!["GraphicImage"]), "base64"),
  };
}

/** Reads a GIF by an independent decoder. @returns 1 for ink */
function decodeGif(bytes: Buffer) {
  const gif = new GifReader(bytes);
  const pixels = new Uint8Array(gif.width * gif.height * 4);
  gif.decodeAndBlitFrameRGBA(0, pixels);
  const ink = Array.from({ length: gif.width * gif.height }, (_, at) => (pixels[at * 4] === 0 ? 1 : 0));
  return { width: gif.width, height: gif.height, ink };
}

/** Turns a picture 90 degrees clockwise and crops a part of it. */
function upright(
  { width, height, ink }: ReturnType<typeof decodeGif>,
  box: { x: number; y: number; w: number; h: number },
) {
  const data = new Uint8ClampedArray(box.w * box.h * 4).fill(255);
  for (let y = 0; y < box.h; y += 1)
    for (let x = 0; x < box.w; x += 1)
      if (ink[(height - 1 - (x + box.x)) * width + y + box.y] === 1)
        data.fill(0, (y * box.w + x) * 4, (y * box.w + x) * 4 + 3);
  return { data, width: box.w, height: box.h, colorSpace: "srgb" } as ImageData;
}

test("the GIF is rotated: turned clockwise, an independent reader can read its codes", async () => {
  const { number, bytes } = await makeLabel("GIF");
  const gif = decodeGif(bytes);
  expect([gif.width, gif.height]).toEqual([1400, 800]);
  const blank = gif.ink.filter((pixel, at) => pixel === 1 && at % 1400 >= 1202);
  expect(blank).toEqual([]);
  const label = upright(gif, { x: 0, y: 0, w: 800, h: 1200 });
  const read = await readBarcodes(label, { formats: ["Code128"], textMode: "Plain", tryRotate: false });
  expect(read.map(({ text, symbologyIdentifier }) => `${symbologyIdentifier} ${text}`).sort()).toEqual(
    [`]C0 ${number}`, "]C1 420303391234"].sort(),
  );
  const symbol = upright(gif, { x: 10, y: 412, w: 240, h: 226 });
  const [maxicode] = await readBarcodes(symbol, { formats: ["MaxiCode"], textMode: "Plain", isPure: true });
  expect(maxicode?.text).toContain("303391234");
  expect(maxicode?.text).toContain(`1Z${number.slice(-8)}`);
});

test("ZPL begins with a newline, uses CRLF, prints upside down, and says that it is simulated", async () => {
  const { number, bytes } = await makeLabel("ZPL");
  const zpl = bytes.toString("utf8");
  expect(zpl.startsWith("\n^XA")).toBe(true);
  expect(zpl.trim().split("\r\n").length).toBeGreaterThan(20);
  for (const part of [
    "^PW812",
    "^POI",
    "^LH10,12",
    "^BD3",
    ">8420303391234",
    number,
    "BILLING: P/P T/P R9H77W US",
    "PURCHASE NO. PO-4711",
    "SIMULATED, NOT FOR SHIPPING",
  ])
    expect(zpl).toContain(part);
  expect(zpl.match(/\^BCN/g)).toHaveLength(2);
  const { api } = await ready;
  const picture = Buffer.from(await api.zplToBase64Async(zpl, 101.6, 152.4, 8), "base64");
  const read = await readBarcodes(picture, { formats: ["Code128"], textMode: "Plain" });
  expect(read.map(({ text }) => text).sort()).toEqual([number, "420303391234"].sort());
});

test("PNG is accepted too", async () => {
  const { bytes } = await makeLabel("PNG");
  expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([
    "PNG",
    1400,
    800,
  ]);
});

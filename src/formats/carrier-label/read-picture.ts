import type { Picture } from "../label/drawing.ts";
import { readGif } from "./read-gif.ts";
import { readPng } from "./read-png.ts";

/** @throws UnreadableLabel if the bytes aren't a complete picture of these kinds */
export function readPicture(bytes: Uint8Array): Picture {
  return bytes[0] === 0x47 ? readGif(bytes) : readPng(bytes);
}

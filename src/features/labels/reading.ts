export { readFontFile } from "#features/labels/layout/pages.ts";

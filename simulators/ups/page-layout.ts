import { pagesOf } from "../kit/page.ts";

export const page = pagesOf("UPS");

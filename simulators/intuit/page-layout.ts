import { pagesOf } from "../kit/page.ts";

export const page = pagesOf("Intuit");

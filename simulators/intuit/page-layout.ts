import { createPages } from "../kit/page.ts";

export const page = createPages("Intuit");

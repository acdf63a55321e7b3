import { join } from "node:path";

/** Sources without their types, compiled: kept for later runs, as `npm start` keeps them. */
export const COMPILED = join(import.meta.dirname, "../../.cache/compiled");

import { enableCompileCache } from "node:module";
import { COMPILED } from "./compiled.ts";

// Tests, and the threads that they start, find their sources compiled, as those of the product do.
enableCompileCache(COMPILED);

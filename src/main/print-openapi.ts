import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { printOpenApi } from "#contract/openapi.ts";
import { ENDPOINTS } from "./endpoints.ts";

/** The document of the interface, as it is kept in the repository. */
export const openApiText = (): string => `${JSON.stringify(printOpenApi(ENDPOINTS), null, 2)}\n`;

/** Path of the kept document. */
export const OPENAPI_FILE = join(import.meta.dirname, "../../docs/openapi.json");

if (import.meta.main) await writeFile(OPENAPI_FILE, openApiText());

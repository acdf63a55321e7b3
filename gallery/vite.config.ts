import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/**
 * Builds the gallery alone: `npm run gallery` serves it during development; the browser tests open
 * `dist/gallery` below the address `/gallery/` of a product that does not know it.
 */
export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  base: command === "build" ? "/gallery/" : "/",
  plugins: [react()],
  publicDir: command === "build" ? false : join(import.meta.dirname, "../src/web/public"),
  build: {
    outDir: join(import.meta.dirname, "../dist/gallery"),
    emptyOutDir: true,
    target: "es2022",
    // The tests load it again for each section, and one file is faster than sixty.
    rolldownOptions: { output: { codeSplitting: false } },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
  },
}));

import { systemClock } from "#platform/clock.ts";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { servePages, type Visitor } from "#platform/http/pages.ts";
import { createHttpServer } from "#platform/http/server.ts";
import { systemIds } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { PAGE_PATHS } from "../../main/pages.ts";

const SHELL =
  '<!doctype html><html lang="en"><head><title>Shell</title></head><body>$& $1<noscript>Script.</noscript><div id="root"></div></body></html>';

async function startPages(
  boot: object = {},
  built?: object,
  visitor: Visitor | null | Promise<Visitor> = null,
) {
  const folder = await mkdtemp(join(tmpdir(), "dockside-pages-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "assets"));
  await mkdir(join(folder, ".vite"));
  await writeFile(join(folder, "index.html"), SHELL);
  await writeFile(join(folder, "before-script.js"), "1;");
  await writeFile(join(folder, "assets/app-1a2b.js"), "2;");
  await writeFile(join(folder, "assets/app-1a2b.js.br"), brotliCompressSync("2;"));
  await writeFile(join(folder, ".vite/manifest.json"), "{}");
  if (built) await writeFile(join(folder, ".vite/pages.json"), JSON.stringify(built));
  await writeFile(join(folder, "../outside.txt"), "outside");
  const app = await createHttpServer({
    clock: systemClock,
    log: createLog("silent"),
    ids: systemIds,
    https: false,
    proxies: 0,
  });
  await servePages(app, {
    clock: systemClock,
    folder,
    paths: PAGE_PATHS,
    boot: () => boot,
    visitor: async () => visitor,
  });
  onTestFinished(() => app.close());
  return (url: string, headers: Record<string, string> = {}) => app.inject({ method: "GET", url, headers });
}

test.each(PAGE_PATHS)(
  "RT-10 RT-15 %s answers with the shell, with and without slash, with a query, no redirect",
  async (path) => {
    const get = await startPages();
    const slash = path === "/" ? "/" : `${path}/`;
    for (const url of [path, slash, `${slash}?ups=1&next=/a.b`, `${path}?code=x.y&state=z`]) {
      const reply = await get(url);
      expect([reply.statusCode, reply.headers["content-type"]], url).toEqual([
        200,
        "text/html; charset=utf-8",
      ]);
      expect(reply.body, url).toContain("<title>Shell</title>");
    }
  },
);

test("LE-02 a page the build knows comes with its text, including the product's name, and requests its scripts early", async () => {
  const built = {
    "/contact": { scripts: ["assets/contact-1.js"], html: "<h1>{{product}}</h1>" },
    "/app": { scripts: ["assets/app-1a2b.js"], html: null },
  };
  const get = await startPages({ product: "Quay & <Side>" }, built);
  const contact = (await get("/contact/")).body;
  expect(contact).toContain('<div id="root"><h1>Quay &amp; &lt;Side&gt;</h1></div>');
  expect(contact).toContain('<link rel="modulepreload" crossorigin href="/assets/contact-1.js"></head>');
  expect(contact).not.toContain("<noscript>");
  const app = (await get("/app")).body;
  expect(app).toContain('href="/assets/app-1a2b.js"></head>');
  expect(app).toContain('<noscript>Script.</noscript><div id="root"></div>');
  expect((await get("/settings")).body).not.toContain("modulepreload");
});

test("LE-02 PF-03 text for users is only in their page, with their facts, and not where the address asks for something", async () => {
  const forUsers = '<p data-id="{{company_id}}">{{product}} for {{company}}</p>';
  const built = { "/app": { scripts: [], html: null, forUsers } };
  const facts = { product: "Quay" };
  const words = { company: "Tom & <Sons>", company_id: '1"2' };
  const get = await startPages(facts, built, { user: {}, words });
  const page = (await get("/app/")).body;
  expect(page).toContain('<div id="root"><p data-id="1&quot;2">Quay for Tom &amp; &lt;Sons&gt;</p></div>');
  expect(page).toContain("<noscript>Script.</noscript>");
  const empty = '<div id="root"></div>';
  expect((await get("/app/?receipt=5")).body).toContain(empty);
  expect((await get("/settings/")).body).toContain(empty);
  const ofGuests = await startPages(facts, built);
  expect((await ofGuests("/app/")).body).toContain(empty);
});

test("the text of a page includes what is known at the request, and nothing where nothing is known", async () => {
  const built = { "/contact": { scripts: [], html: "<p>{{price_note}}</p><p>{{demo}}</p>" } };
  const facts: Record<string, unknown> = { price_note: null, demo: true };
  const get = await startPages(facts, built);
  expect((await get("/contact/")).body).toContain("<p></p><p></p>");
  facts["price_note"] = "$29.00 a month & more";
  expect((await get("/contact/")).body).toContain("<p>$29.00 a month &amp; more</p><p></p>");
  expect((await get("/contact/")).body).toContain('"price_note":"$29.00 a month & more"');
});

test.each([
  "/no-such-page",
  "/no-such-page/",
  "/App",
  "/app/deeper",
  "/settings//",
  "/no-such-page?file=report.xlsx",
  "/a.b.c/page",
])("RT-08 RT-14 %s answers 404 with the shell, which shows the 404 page", async (url) => {
  const get = await startPages();
  const reply = await get(url);
  expect([reply.statusCode, reply.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
  expect(reply.body).toContain("<title>Shell</title>");
  expect(reply.headers["cache-control"]).toBe("no-store");
});

test.each([
  "/assets/app-0000.js",
  "/favicon.ico",
  "/index.html",
  "/robots.txt?x=1",
  "/.vite/manifest.json",
  "/../outside.txt",
  "/%2e%2e/outside.txt",
  "/assets/..%2f..%2foutside.txt",
  "/api/v1/unknown",
  "/api/v1/unknown.json",
])("a missing file or call, %s, is answered with a problem and not with a page", async (url) => {
  const get = await startPages();
  const reply = await get(url);
  expect(reply.statusCode).toBe(404);
  expect(reply.headers["content-type"]).toContain("application/problem+json");
  expect(reply.json()).toMatchObject({
    code: "not_found",
    detail: expect.stringMatching(/^There is nothing at \/.*\.$/),
  });
  expect(reply.body).not.toContain("outside\n");
});

test("files with a hash in their name may be cached forever, others for an hour, and both are checked by ETag", async () => {
  const get = await startPages();
  const lasting = await get("/assets/app-1a2b.js");
  expect([lasting.body, lasting.headers["cache-control"]]).toEqual([
    "2;",
    "public, max-age=31536000, immutable",
  ]);
  const short = await get("/before-script.js");
  expect([short.body, short.headers["cache-control"]]).toEqual(["1;", "public, max-age=3600"]);
  const again = await get("/before-script.js", { "if-none-match": String(short.headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
});

test("a file that the build packed is sent packed to clients that accept it, under its own name only", async () => {
  const get = await startPages();
  const packed = await get("/assets/app-1a2b.js", { "accept-encoding": "gzip, br" });
  expect([packed.headers["content-encoding"], packed.headers["content-type"], packed.headers.vary]).toEqual([
    "br",
    "text/javascript; charset=utf-8",
    "Accept-Encoding",
  ]);
  expect(brotliDecompressSync(packed.rawPayload).toString()).toBe("2;");
  expect((await get("/assets/app-1a2b.js", { "accept-encoding": "gzip" })).body).toBe("2;");
  expect((await get("/assets/app-1a2b.js.br")).statusCode).toBe(404);
});

test("a page doesn't wait for a hanging database: it comes without its user's data, and requests it itself", async () => {
  const get = await startPages({}, undefined, new Promise<Visitor>(() => {}));
  const started = performance.now();
  const reply = await get("/");
  expect(performance.now() - started).toBeLessThan(2_000);
  expect([reply.statusCode, reply.body.includes('id="boot"'), reply.body.includes('id="user"')]).toEqual([
    200,
    true,
    false,
  ]);
});

test("data embedded in a page cannot break out of its element", async () => {
  const hostile = "</script><script>alert(1)</script><!--\u2028$&$1";
  const get = await startPages({ product: hostile });
  const { body } = await get("/");
  const text = /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(body)?.[1] ?? "";
  expect(text).not.toContain("<");
  expect(JSON.parse(text)).toEqual({ product: hostile });
  expect(body).toContain("<body>$& $1<noscript>");
});

test("without built pages the server says what to do instead of starting", async () => {
  const app = await createHttpServer({
    clock: systemClock,
    log: createLog("silent"),
    ids: systemIds,
    https: false,
    proxies: 0,
  });
  const folder = join(tmpdir(), "no-such-folder");
  await expect(servePages(app, { clock: systemClock, folder, paths: [], boot: () => ({}) })).rejects.toThrow(
    /^The pages are not built: .*Start with npm start\.$/,
  );
});

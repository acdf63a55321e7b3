import { createTransport } from "nodemailer";
import { expect, onTestFinished, test } from "vitest";
import { page } from "../intuit/page-layout.ts";
import { startIntuitSimulator } from "../intuit/start.ts";
import { startMailbox } from "./start.ts";

/** A mailbox beside a simulated Intuit, as the product runs it. */
async function start() {
  const mailbox = await startMailbox({ port: 0, page });
  const intuit = await startIntuitSimulator({
    port: 0,
    beside: { link: { path: "/mail", title: "Mailbox" }, reply: mailbox.reply },
  });
  const mailer = createTransport(`smtp://localhost:${mailbox.port}`);
  onTestFinished(async () => {
    mailer.close();
    await Promise.all([mailbox.close(), intuit.close()]);
  });
  const get = async (path: string) => {
    const reply = await fetch(new URL(path, intuit.url));
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  };
  const send = (mail: object) =>
    mailer.sendMail({ from: "no-reply@dockside.example", to: "clerk@acme.example", ...mail });
  return { intuit, get, send };
}

test("a mail shows its plain text with links, and links to its HTML, which can't run or load anything", async () => {
  const { get, send } = await start();
  await send({
    subject: "Both <b>",
    text: "Plain words, see http://localhost:3000/login/ there.",
    html: '<p style="color:#13653f">Styled words</p><script>alert(1)</script>',
  });
  const list = await get("/mail");
  expect(list.text).toContain("Both &lt;b&gt;");
  expect(list.text).toContain('<a href="http://localhost:3000/login/">');
  expect(list.text).not.toContain("Styled words");
  const [, path = ""] = /href="(\/mail\/\d+)"/.exec(list.text) ?? [];
  const mail = await get(path);
  expect(mail.text).toContain('<p style="color:#13653f">Styled words</p>');
  expect(mail.headers.get("content-security-policy")).toBe(
    "sandbox allow-popups allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect((await get("/mail/99")).status).toBe(404);
});

test("a mail with only HTML links to it; a mail with only text does not", async () => {
  const { get, send } = await start();
  await send({ subject: "Styled only", html: "<p>One &amp; two</p>" });
  await send({ subject: "Plain only", text: "Nothing else" });
  const { text } = await get("/mail");
  expect(text).not.toMatch(/<p>\s*<\/p>/);
  expect(text.match(/href="\/mail\/\d+"/g)).toEqual(['href="/mail/1"']);
});

test("the mailbox is emptied on request, and only by a POST", async () => {
  const { intuit, get, send } = await start();
  await send({ subject: "Gone soon", text: "Words" });
  expect((await get("/_sim/mail/reset")).status).toBe(404);
  expect((await get("/mail")).text).toContain("Gone soon");
  expect((await fetch(`${intuit.url}/_sim/mail/reset`, { method: "POST" })).status).toBe(200);
  expect((await get("/mail")).text).toContain("No mail was sent yet.");
});

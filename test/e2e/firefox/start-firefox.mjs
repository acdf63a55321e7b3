#!/usr/bin/env node
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { WebSocket, WebSocketServer } from "ws";

/**
 * Starts Firefox as Playwright starts it, and answers the commands itself that Playwright always sends and this Firefox
 * does not know. All other messages pass unchanged. Called by Playwright in the place of the browser.
 */
const ANSWERED_HERE = new Set(["emulation.setMediaFeaturesOverride"]);

const firefox = spawn(process.env.FIREFOX_PATH ?? "/usr/bin/firefox-esr", process.argv.slice(2), {
  stdio: ["inherit", "inherit", "pipe"],
});
firefox.on("exit", (code) => process.exit(code ?? 1));
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => firefox.kill(signal));

const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
server.on("connection", (playwright, { url }) => {
  const browser = new WebSocket(`${address}${url}`);
  const early = [];
  const send = (text) => (browser.readyState === WebSocket.OPEN ? browser.send(text) : early.push(text));
  browser.on("open", () => early.splice(0).forEach((text) => browser.send(text)));
  playwright.on("message", (data) => {
    const { id, method } = JSON.parse(data.toString());
    if (ANSWERED_HERE.has(method)) playwright.send(JSON.stringify({ type: "success", id, result: {} }));
    else send(data.toString());
  });
  browser.on("message", (data) => playwright.send(data.toString()));
  playwright.on("close", () => browser.close());
  browser.on("close", () => playwright.close());
});

let address = "";
for await (const line of createInterface({ input: firefox.stderr })) {
  const found = /^(.*WebDriver BiDi listening on )(ws:\/\/\S+)/.exec(line);
  if (found) address = found[2];
  process.stderr.write(found ? `${found[1]}ws://127.0.0.1:${server.address().port}\n` : `${line}\n`);
}

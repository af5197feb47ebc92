// Opens pages in a browser and does what the steps say. On stdin comes
// {"browser": path, "visits": [{"page": URL, "width", "scheme", "scripts", "login":
// {"username", "password"} or none, "steps": [{"call", "with"}]}]}; a call is a method of Playwright's page, or of `calls` below.
// On stdout goes for each visit {"answers": what each step gave, "console", "dialogs",
// "requests": what should not have been}.
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { chromium } from "playwright-core";

const axe = await readFile(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const quiet = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

const calls = {
  press: async (page, ...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  },
  // Goes through the page with Tab, and gives what that did not reach, or what did not
  // show that it had the focus.
  tabs: async (page) => {
    for (let at = true; at; ) {
      await page.keyboard.press("Tab");
      at = await page.evaluate(() => {
        const e = document.activeElement;
        if (e === document.body || e.dataset.tabbed) return false;
        const { outlineStyle, outlineWidth } = getComputedStyle(e);
        e.dataset.tabbed = outlineStyle !== "none" && parseFloat(outlineWidth) > 0 ? "seen" : "unseen";
        return true;
      });
    }
    return page.evaluate(() => [...document.querySelectorAll("a[href], button, input, select, summary")]
      .filter((e) => e.checkVisibility() && e.dataset.tabbed !== "seen").map((e) => e.outerHTML));
  },
  // What axe finds wrong with the page as it is, and the contrasts that it cannot tell.
  axe: async (page) => {
    await page.evaluate(axe);
    const found = await page.evaluate("axe.run(document, {resultTypes: ['violations', 'incomplete']})");
    const unsure = found.incomplete.filter((i) => i.id === "color-contrast");
    return [...found.violations, ...unsure].map(({ id, impact, nodes }) => ({
      id, impact, nodes: nodes.slice(0, 3).map((n) => n.html.slice(0, 300) + " " + n.any.map((a) => a.message).join("; ")),
    }));
  },
};

const visit = async (browser, { page: url, width, scheme, scripts, login, steps }) => {
  const context = await browser.newContext({
    viewport: { width, height: 900 }, colorScheme: scheme, javaScriptEnabled: scripts, httpCredentials: login,
  });
  const page = await context.newPage();
  const seen = { answers: [], console: [], dialogs: [], requests: [] };
  page.on("console", (m) => seen.console.push(`${m.type()}: ${m.text()}`));
  page.on("pageerror", (e) => seen.console.push(`error: ${e.message}`));
  page.on("dialog", (d) => {
    seen.dialogs.push(d.message());
    d.dismiss();
  });
  page.on("request", (r) => {
    if (r.url() !== url) seen.requests.push(r.url());
  });
  await page.goto(url);
  for (const step of steps) {
    const call = calls[step.call] ?? ((on, ...args) => on[step.call](...args));
    seen.answers.push((await call(page, ...(step.with ?? []))) ?? null);
  }
  await context.close();
  return seen;
};

const asked = JSON.parse(await text(process.stdin));
const browser = await chromium.launch({ executablePath: asked.browser, args: quiet });
const all = [];
for (const v of asked.visits) all.push(await visit(browser, v));
await browser.close();
process.stdout.write(JSON.stringify(all));

"use strict";
// Filters the tools of the page by text, rule, severity and what fails the gate. Without this the page can
// be read in whole; what only works with it is hidden until it runs.
(() => {
  const form = document.getElementById("filter");
  const shown = document.getElementById("shown");
  const noun = shown.dataset.noun;
  const boxes = [...form.elements.severity];
  const plain = (text) => text.toLowerCase().replaceAll("_", " ");
  const count = (n, all, what) => (n === all ? "" : n + " of ") + all + " " + what + (all === 1 ? "" : "s");

  // What is searched is read once, after the page is shown and before it is needed.
  let lists;
  const read = () => [...document.querySelectorAll(".tools")].map((list) => ({
    none: list.querySelector(".none"),
    tools: [...list.querySelectorAll(".tool")].map((element) => {
      const own = [...element.children].filter((child) => !child.classList.contains("findings"));
      const text = plain(own.map((child) => child.textContent).join(" "));
      return {
        element, text,
        findings: [...element.querySelectorAll("li[data-s]")].map((row) => ({
          element: row, severity: row.dataset.s, rule: row.dataset.r, fails: "f" in row.dataset, text: text + " " + plain(row.textContent),
        })),
      };
    }),
  }));

  const filter = () => {
    lists ??= read();
    const words = form.elements.text.value.split(/\s+/).filter(Boolean).map(plain);
    const rule = form.elements.rule.value;
    const severities = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const failing = form.elements.failing?.checked ?? false;
    const any = rule === "" && !failing && severities.size === boxes.length;
    const asked = ({ severity, rule: of, fails }) => severities.has(severity) && (rule === "" || rule === of) && (fails || !failing);
    const has = (text) => words.every((word) => text.includes(word));
    let tools = 0, findings = 0, allTools = 0, allFindings = 0;
    for (const list of lists) {
      let here = 0;
      for (const tool of list.tools) {
        let matching = 0;
        for (const finding of tool.findings) {
          const match = asked(finding) && has(finding.text);
          finding.element.hidden = !match;
          if (match) matching++;
        }
        const match = matching > 0 || (any && has(tool.text));
        tool.element.hidden = !match;
        if (match) here++;
        findings += matching;
        allFindings += tool.findings.length;
      }
      list.none.hidden = here > 0 || list.tools.length === 0;
      tools += here;
      allTools += list.tools.length;
    }
    shown.value = count(tools, allTools, noun) + ", " + count(findings, allFindings, "finding");
  };

  // One pass a frame, however fast someone types.
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      filter();
    });
  };

  const open = (is) => {
    for (const tool of document.querySelectorAll(".tool:not([hidden])")) tool.open = is;
  };

  // A link to a rule shows what the rule says.
  const follow = () => {
    const details = document.getElementById(location.hash.slice(1))?.querySelector("details");
    if (details) details.open = true;
  };

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", soon);
  form.addEventListener("reset", soon); // the fields are reset before the next frame
  document.addEventListener("click", (event) => {
    const only = event.target.closest?.("button[data-r]");
    if (event.target.id === "open") open(true);
    else if (event.target.id === "close") open(false);
    else if (only) {
      form.reset();
      form.elements.rule.value = only.dataset.r;
      form.elements.rule.focus();
    }
  });
  addEventListener("hashchange", follow);

  form.hidden = false;
  for (const button of document.querySelectorAll("button.script")) button.hidden = false;
  follow();
  (window.requestIdleCallback ?? setTimeout)(() => { lists ??= read(); });
})();

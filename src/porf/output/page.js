// What a report does: a slider through the execution, relations that are switched on and off, events beside their lines.
"use strict";

const root = document.documentElement;
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const setTheme = (theme) => { root.dataset.theme = theme; };
setTheme(dark.matches ? "dark" : "light");
dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
document.getElementById("theme").addEventListener("click", () => {
  setTheme(root.dataset.theme === "dark" ? "light" : "dark");
});

for (const view of document.querySelectorAll(".view")) {
  const events = [...view.querySelectorAll(".event")];
  const arrows = [...view.querySelectorAll(".arrow")];
  const slider = view.querySelector("input[type=range]");
  const boxes = [...view.querySelectorAll("input[type=checkbox]")];
  const said = view.querySelector(".said");
  const lines = [...view.querySelectorAll(".source li")];
  const order = events.map((event) => Number(event.dataset.ref)).filter((ref) => ref >= 0).sort((a, b) => a - b);
  const words = (element) => element.querySelector("title")?.textContent ?? "";

  const show = () => {
    const last = slider === null ? Infinity : Number(slider.value);
    const there = new Set(order.slice(0, last));
    const isThere = (ref) => Number(ref) < 0 || there.has(Number(ref));
    const off = new Set(boxes.filter((box) => !box.checked).map((box) => box.value));
    for (const event of events) event.classList.toggle("hidden", !isThere(event.dataset.ref));
    for (const mark of [...arrows, ...view.querySelectorAll(".label")]) {
      const gone = off.has(mark.dataset.relation) || !isThere(mark.dataset.from) || !isThere(mark.dataset.to);
      mark.classList.toggle("hidden", gone);
    }
    if (slider !== null) slider.nextElementSibling.textContent = `${Math.min(last, order.length)} of ${order.length}`;
  };

  const choose = (place, refs) => {
    for (const event of events) event.classList.toggle("chosen", refs.includes(event.dataset.ref));
    for (const line of lines) line.classList.toggle("chosen", place !== "" && line.dataset.place === place);
    const line = lines.find((each) => each.classList.contains("chosen"));
    if (line !== undefined) {
      const pane = line.closest(".source");
      pane.scrollTop = line.offsetTop - pane.offsetTop - pane.clientHeight / 2;
    }
  };

  for (const event of events) {
    event.setAttribute("tabindex", "0");
    const pick = () => { said.textContent = words(event); choose(event.dataset.place ?? "", [event.dataset.ref]); };
    event.addEventListener("click", pick);
    event.addEventListener("focus", pick);
    event.addEventListener("mouseenter", () => { said.textContent = words(event); });
  }
  for (const arrow of arrows) {
    arrow.setAttribute("tabindex", "0");
    const tell = () => { said.textContent = words(arrow); };
    arrow.addEventListener("mouseenter", tell);
    arrow.addEventListener("focus", tell);
    arrow.addEventListener("click", () => { tell(); choose("", [arrow.dataset.from, arrow.dataset.to]); });
  }
  for (const line of lines.filter((each) => each.classList.contains("used"))) {
    line.setAttribute("tabindex", "0");
    const pick = () => {
      const here = events.filter((event) => event.dataset.place === line.dataset.place);
      said.textContent = here.map(words).join("; ");
      choose(line.dataset.place, here.map((event) => event.dataset.ref));
    };
    line.addEventListener("click", pick);
    line.addEventListener("keydown", (key) => { if (key.key === "Enter") pick(); });
  }
  slider?.addEventListener("input", show);
  for (const box of boxes) box.addEventListener("change", show);
  show();
}

"use strict";
(() => {
  const picture = document.getElementById("picture");
  const svg = picture.querySelector("svg");
  const size = { width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height };
  const view = { x: 0, y: 0, scale: 1 };

  function show() {
    svg.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
  }

  function fit() {
    const room = picture.getBoundingClientRect();
    const scale = Math.min((room.width - 24) / size.width, (room.height - 24) / size.height, 1);
    view.scale = Math.max(scale, 0.02);
    view.x = Math.max((room.width - size.width * view.scale) / 2, 12);
    view.y = 12;
    show();
  }

  function fitWidth() {
    const room = picture.getBoundingClientRect();
    view.scale = Math.min(Math.max((room.width - 24) / size.width, 0.35), 1);
    view.x = Math.max((room.width - size.width * view.scale) / 2, 12);
    view.y = 12;
    show();
  }

  function zoom(factor, x, y) {
    const scale = Math.min(Math.max(view.scale * factor, 0.02), 8);
    view.x = x - ((x - view.x) * scale) / view.scale;
    view.y = y - ((y - view.y) * scale) / view.scale;
    view.scale = scale;
    show();
  }

  picture.addEventListener("wheel", (event) => {
    event.preventDefault();
    const room = picture.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey) {
      zoom(Math.exp(-event.deltaY / 200), event.clientX - room.left, event.clientY - room.top);
    } else {
      view.x -= event.deltaX;
      view.y -= event.deltaY;
      show();
    }
  }, { passive: false });

  let held = null;
  picture.addEventListener("pointerdown", (event) => {
    held = { x: event.clientX - view.x, y: event.clientY - view.y };
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    if (held) {
      view.x = event.clientX - held.x;
      view.y = event.clientY - held.y;
      show();
    }
  });
  for (const end of ["pointerup", "pointercancel"]) {
    picture.addEventListener(end, () => { held = null; });
  }

  const middle = () => {
    const room = picture.getBoundingClientRect();
    return [room.width / 2, room.height / 2];
  };
  document.getElementById("larger").addEventListener("click", () => zoom(1.3, ...middle()));
  document.getElementById("smaller").addEventListener("click", () => zoom(1 / 1.3, ...middle()));
  document.getElementById("fit").addEventListener("click", fit);

  // A line of the source and what was made of it are marked together.
  const byPlace = new Map();
  for (const element of document.querySelectorAll("[data-line]")) {
    const place = `${element.dataset.file}:${element.dataset.line}`;
    if (!byPlace.has(place)) byPlace.set(place, []);
    byPlace.get(place).push(element);
  }
  let marked = [];
  function mark(element) {
    for (const other of marked) other.classList.remove("marked");
    const owner = element && element.closest("[data-line]");
    const place = owner && `${owner.dataset.file}:${owner.dataset.line}`;
    marked = (place && byPlace.get(place)) || [];
    for (const other of marked) other.classList.add("marked");
    if (owner && owner.tagName !== "LI") {
      const line = marked.find((other) => other.tagName === "LI");
      if (line) line.scrollIntoView({ block: "nearest" });
    }
  }
  document.addEventListener("mouseover", (event) => mark(event.target));
  fitWidth();
  document.body.dataset.shown = "yes";
})();

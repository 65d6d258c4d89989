// SPDX-License-Identifier: Apache-2.0
// The flame graph: each box a line of the program, as wide as the time in which the GPU was idle
// while the main thread was there or below. Click or Enter on a box shows it alone.
import { el } from "./dom";
import * as format from "./format";
import { t } from "./text";
import type { Idle } from "./types";

interface Node { name: string; depth: number; idle: number; busy: number; begin: number; children: Node[]; parent: Node | null }

function tree(flame: Idle["flame"]): Node | null {
  const path: Node[] = [];
  let root: Node | null = null;
  for (const [depth, name, idle, busy] of flame) {
    const parent = depth === 0 ? null : path[depth - 1];
    const node: Node = { name, depth, idle, busy, begin: 0, children: [], parent };
    if (parent) {
      const last = parent.children[parent.children.length - 1];
      node.begin = last ? last.begin + weight(last) : parent.begin;
      parent.children.push(node);
    } else root = node;
    path.length = depth;
    path.push(node);
  }
  return root;
}

let byIdle = true;
const weight = (n: Node) => (byIdle ? n.idle : n.busy);

// The same line has the same colour everywhere.
function hue(name: string): number {
  let hash = 0;
  for (const c of name) hash = (hash * 31 + c.charCodeAt(0)) | 0;
  return 10 + (Math.abs(hash) % 45);
}

export function flame(idle: Idle): HTMLElement {
  byIdle = idle.flame.length > 0 && idle.flame[0][2] > 0;
  const root = tree(idle.flame);
  const box = el("div", { class: "flame", role: "group", "aria-label": t("flame_title") });
  const status = el("p", { class: "quiet", "aria-live": "polite" }, t("flame_hint"));
  const all = root ? weight(root) : 0;
  function say(node: Node) {
    status.textContent = `${node.name || t("all")} · ${format.duration(node.idle)} · ${format.percent(weight(node) / all, 1)}`;
  }
  function show(focus: Node) {
    box.replaceChildren();
    let deepest = 0;
    const begin = focus.begin, width = weight(focus);
    const draw = (node: Node) => {
      const left = Math.max(0, (node.begin - begin) / width), share = Math.min(1, weight(node) / width);
      if (share < 0.002) return;
      deepest = Math.max(deepest, node.depth);
      const cell = el("button", { type: "button", title: `${node.name}\n${format.duration(node.idle)}`,
        click: () => { show(node === focus && node.parent ? node.parent : node); say(node); },
        focus: () => say(node), mouseenter: () => say(node) }, node.name || t("all"));
      cell.style.left = `${left * 100}%`;
      cell.style.width = `${share * 100}%`;
      cell.style.top = `${node.depth * 22}px`;
      cell.style.setProperty("--hue", String(hue(node.name)));
      box.append(cell);
      for (const child of node.children) draw(child);
    };
    const above: Node[] = [];
    for (let n = focus.parent; n; n = n.parent) above.unshift(n);
    for (const n of above) {
      const cell = el("button", { type: "button", class: "above", click: () => { show(n); say(n); } }, n.name || t("all"));
      cell.style.left = "0";
      cell.style.width = "100%";
      cell.style.top = `${n.depth * 22}px`;
      box.append(cell);
    }
    draw(focus);
    box.style.height = `${(deepest + 1) * 22}px`;
  }
  if (root) show(root);
  return el("div", {}, status, box);
}

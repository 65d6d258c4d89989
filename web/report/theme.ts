// SPDX-License-Identifier: Apache-2.0
// Light and dark: the system's choice unless the reader chose. Colours live in page.css.
type Theme = "auto" | "light" | "dark";
let chosen: Theme = "auto";
export const theme = () => chosen;

export function setTheme(to: Theme) {
  chosen = to;
  if (to === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", to);
  values.clear();
}

const values = new Map<string, string>();
// A colour of the present theme.
export function css(name: string): string {
  let value = values.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    values.set(name, value);
  }
  return value;
}

export function onSystemTheme(listener: () => void) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    values.clear();
    if (chosen === "auto") listener();
  });
}

// Told apart by readers who do not see all colours (Okabe and Ito).
export const color = (n: number) => css(`--line-${n % 8}`);

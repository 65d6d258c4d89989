// SPDX-License-Identifier: Apache-2.0
// The page's words in both languages. They come with the page from the program's catalogue
// (src/model/text/report_page.h), as do the labels of all series. Next: format.ts.
import type { Report, Texts, Unknown } from "./types";

function read<T>(id: string): T {
  return JSON.parse(document.getElementById(id)!.textContent!) as T;
}

export const texts = read<Texts>("texts");
export const report = read<Report>("data");

let language = texts.lang;
export const lang = () => language;
export function setLanguage(to: "en" | "zh") {
  language = to;
  document.documentElement.lang = to === "zh" ? "zh-CN" : "en";
}

// The text with its {0}, {1}, … filled.
export function t(key: string, ...values: (string | number)[]): string {
  const text = texts[language][key];
  if (text === undefined) throw new Error(`no text '${key}'`);
  return text.replace(/\{(\d)\}/g, (_, n) => String(values[Number(n)]));
}

// A word of the data for people: the name of a series, a layer, an event.
export function label(name: string): string {
  const found = texts.labels[name];
  return found ? found[language] : name.replace(/_/g, " ");
}

// Why a member of an object is null.
export function why(object: Unknown, key: string): string {
  return reason(object.unknown?.[key] ?? "");
}

export function reason(english: string): string {
  if (english === "") return t("unknown");
  if (language === "en") return english;
  const direct = texts.reasons[english];
  if (direct) return direct;
  const code = english.match(/^(.*?)(\d+)$/);
  const generic = code && texts.reasons[code[1] + "0"];
  return generic ? generic.replace("0", code[2]) : english;
}

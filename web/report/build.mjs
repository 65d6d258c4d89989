// SPDX-License-Identifier: Apache-2.0
// Bundles the page and writes it as C++ constants: build.mjs OUTPUT.cc. CMake calls it in a copy of
// this folder beside which `npm ci` put esbuild and uPlot. Next: ../../src/report/page.h.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const bundle = async (entry, loader) => {
  const result = await build({
    entryPoints: [entry], bundle: true, minify: true, write: false, format: "iife", target: "es2021",
    charset: "utf8", legalComments: "none", loader,
  });
  return result.outputFiles[0].text.trim();
};

// Inside a script or style element nothing may look like its end.
const harmless = (text) => {
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error("the bundle holds what would end its element");
  return text;
};
const hash = (text) => "sha256-" + createHash("sha256").update(text).digest("base64");

// The licence of what is bundled asks to travel with it.
const licence = readFileSync("node_modules/uplot/LICENSE", "utf8").trim();
const script = harmless(`/* uPlot: ${licence} */\n${await bundle("main.ts")}`);
const style = harmless(await bundle("style.css"));
const page = readFileSync("page.html", "utf8")
  .replace("@SCRIPT_HASH@", hash(script)).replace("@STYLE_HASH@", hash(style))
  .replace("@STYLE@", () => style).replace("@SCRIPT@", () => script);

// The places that are filled for each report, in their order.
const places = ["LANG", "TITLE", "NOSCRIPT", "TEXTS", "DATA"];
const parts = [];
let rest = page;
for (const place of places) {
  const [before, ...after] = rest.split(`@${place}@`);
  if (after.length !== 1) throw new Error(`page.html must hold @${place}@ once, in its order`);
  parts.push(before);
  rest = after[0];
}
parts.push(rest);

// Compilers limit one literal to 64 KiB, and two beside each other become one string.
const literal = (text) => {
  const bytes = Buffer.from(text, "utf8"), lines = [];
  for (let i = 0; i < bytes.length; i += 100) {
    let line = "";
    for (const b of bytes.subarray(i, i + 100)) {
      if (b === 0x22 || b === 0x5c || b === 0x3f) line += "\\" + String.fromCharCode(b);
      else if (b < 0x20 || b > 0x7e) line += "\\" + b.toString(8).padStart(3, "0");
      else line += String.fromCharCode(b);
    }
    lines.push(`"${line}"`);
  }
  return lines.join("\n    ") || '""';
};
writeFileSync(process.argv[2], `// Made by web/report/build.mjs.
#include "report/page.h"
namespace gpusight::report {
const Page& ReportPage() {
  static constexpr Page kPage{{{
${parts.map((part) => `    {${literal(part)}, ${Buffer.byteLength(part)}}`).join(",\n")}}}};
  return kPage;
}
}  // namespace gpusight::report
`);
console.log(`page: ${Buffer.byteLength(page)} bytes`);

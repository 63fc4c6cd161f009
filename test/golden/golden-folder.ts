import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GoldenFiles } from './golden.ts';

/** The golden files, one folder per topic. */
export const goldenFolder = fileURLToPath(new URL('./files/', import.meta.url));

/** Environment variable: the files are written instead of compared. */
export const rewriteVariable = 'LANDFALL_GOLDEN';

/** Returns the golden files of a topic. */
export function readGolden(topic: string): GoldenFiles {
  const folder = join(goldenFolder, topic);
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(files.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));
}

/** Replaces the golden files of a topic. */
export function writeGolden(topic: string, files: GoldenFiles): void {
  const folder = join(goldenFolder, topic);
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Returns the first difference between the golden files and what is rendered now; undefined without one. */
export function differenceOf(golden: GoldenFiles, rendered: GoldenFiles): string | undefined {
  const names = [...new Set([...golden.keys(), ...rendered.keys()])].sort();
  const name = names.find((each) => golden.get(each) !== rendered.get(each));
  if (name === undefined) return undefined;
  const others = names.filter((each) => golden.get(each) !== rendered.get(each)).length - 1;
  return [
    `--- ${name}`,
    `+++ ${name}`,
    ...hunk(linesOf(golden.get(name)), linesOf(rendered.get(name))),
    ...(others > 0 ? [`and ${others} more files`] : []),
  ].join('\n');
}

function linesOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : [...lines, '\\ No newline at end of file'];
}

/** Lines around a difference, and the most that differ in one hunk. */
const context = 3;
const maxLines = 20;

/** Returns the first hunk of a unified diff. */
function hunk(before: readonly string[], after: readonly string[]): string[] {
  const start = before.findIndex((line, index) => line !== after[index]);
  const first = start === -1 ? before.length : start;
  const [removed, added] = lengths(before.slice(first), after.slice(first));
  const prefixed = (sign: string, lines: readonly string[]) => lines.map((line) => sign + line);
  return [
    `@@ -${first + 1},${removed} +${first + 1},${added} @@`,
    ...prefixed(' ', before.slice(Math.max(0, first - context), first)),
    ...prefixed('-', before.slice(first, first + removed)),
    ...prefixed('+', after.slice(first, first + added)),
    ...prefixed(' ', before.slice(first + removed, first + removed + context)),
  ];
}

/** Returns how many lines differ before both texts have the same two lines again. */
function lengths(before: readonly string[], after: readonly string[]): [number, number] {
  for (let sum = 1; sum <= 2 * maxLines; sum += 1) {
    for (
      let removed = Math.max(0, sum - maxLines);
      removed <= Math.min(sum, maxLines);
      removed += 1
    ) {
      const added = sum - removed;
      const isSame = [0, 1].every((next) => before[removed + next] === after[added + next]);
      if (isSame && removed <= before.length && added <= after.length) return [removed, added];
    }
  }
  return [Math.min(maxLines, before.length), Math.min(maxLines, after.length)];
}

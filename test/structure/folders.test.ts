import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './sources.ts';

const max = 25;

/** Folders that can have more files, with the number of the decision that explains why. */
const exceptions: Readonly<Record<string, number>> = { 'docs/decisions': 35 };

/** Files that tests and the build of the package write; `.gitignore` lists them. */
const generated =
  /^(?:builder\/prebuilt|test\/output|test\/\.work)\/|\/__pycache__\/|\.(?:log|key)$/;

/** Lists the folders of the project with the number of files directly in each. */
function filesPerFolder(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const top of ['appliance', 'builder', 'compose', 'docs', 'test']) {
    for (const entry of readdirSync(join(root, top), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name).slice(root.length);
      if (entry.isDirectory() || generated.test(path)) continue;
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    }
  }
  return counts;
}

/** Returns whether the folder of the decisions has one with the number. */
function isDecided(number: number): boolean {
  const prefix = `${String(number).padStart(4, '0')}-`;
  return readdirSync(join(root, 'docs/decisions')).some((name) => name.startsWith(prefix));
}

describe('the list of decisions', () => {
  it('names every decision by its number, title and file', () => {
    const folder = join(root, 'docs/decisions');
    const rows = readdirSync(folder)
      .filter((name) => /^\d/.test(name))
      .sort()
      .map((name) => {
        const title = /^# (\d+)\. (.+)/.exec(readFileSync(join(folder, name), 'utf8'));
        return `| [${title?.[1]}](${name}) | ${title?.[2]} |`;
      });
    const list = readFileSync(join(folder, 'README.md'), 'utf8').split('\n');
    expect(list.filter((line) => line.startsWith('| ['))).toEqual(rows);
  });
});

describe('the structure of the project', () => {
  const counts = filesPerFolder();

  it('keeps folders to 25 files', () => {
    const large = [...counts]
      .filter(([folder, files]) => files > max && !(folder in exceptions))
      .map(([folder, files]) => `${folder} has ${files} files`);
    expect(large, 'move files of one topic to a subfolder').toEqual([]);
  });

  it('allows more files only in folders with a decision that need them', () => {
    for (const [folder, number] of Object.entries(exceptions)) {
      expect({ folder, isDecided: isDecided(number) }).toEqual({ folder, isDecided: true });
      expect(counts.get(folder)).toBeGreaterThan(max);
    }
  });
});

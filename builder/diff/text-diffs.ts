import { structuredPatch } from 'diff';
import { unprintable } from '#contract/text/unprintable.ts';
import type { ReleaseChanges } from './compare-releases.ts';
import { hideSecret, type TextDiff } from './report.ts';
import type { Pair, ReleaseSide } from './sides.ts';

/** Maximum size of a text file in bytes. */
const maxBytes = 256 * 1024;

/** Maximum number of removed and added lines: memory use grows with its square. */
const maxEdits = 2000;

/**
 * Returns unified diffs of the changed settings, one per file. A file that cannot be compared as text
 * has its reason instead.
 * @throws LandfallError BUNDLE_CONTENT, BUNDLE_TRUNCATED
 */
export async function textDiffs(
  sides: Pair<ReleaseSide>,
  settings: ReleaseChanges['settings'],
): Promise<TextDiff[]> {
  const found: TextDiff[] = [];
  for (const { name: path, before, after } of settings) {
    const old = before ? await textOf(sides.before, path) : '';
    const current = after ? await textOf(sides.after, path) : '';
    const lines =
      old === undefined || current === undefined ? undefined : unifiedDiff(old, current);
    found.push({ path, lines: lines?.map(safeLine) ?? [reasonFor(sides)] });
  }
  return found;
}

function reasonFor({ before, after }: Pair<ReleaseSide>): string {
  const isManifest = [before, after].some(({ type }) => type === 'manifest');
  return isManifest
    ? '(not compared as text: release.json does not contain it; use the bundles)'
    : '(not compared as text: binary, too large, or too many differences)';
}

async function textOf(side: ReleaseSide, path: string): Promise<string | undefined> {
  const bytes = await side.read(path, maxBytes);
  if (!bytes || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The first character is the mark of the line. */
function safeLine(line: string): string {
  const text = line.slice(1).replace(unprintable, (character) => (character === '\t' ? '\t' : '�'));
  return `${line.slice(0, 1)}${hideSecret(text)}`;
}

/**
 * Returns the hunks of `diff -u` for two texts, empty if they are equal. Undefined if too many lines
 * differ.
 */
export function unifiedDiff(before: string, after: string): string[] | undefined {
  const options = { context: 3, maxEditLength: maxEdits };
  const patch = structuredPatch('', '', before, after, '', '', options);
  return patch?.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...lines,
  ]);
}

/** An empty range is named by the line before it. */
function range(start: number, lines: number): string {
  return lines === 1 ? `${start}` : `${lines === 0 ? start - 1 : start},${lines}`;
}

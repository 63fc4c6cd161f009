import { unprintable } from '#contract/text/unprintable.ts';
import type { TextDiff } from '../report.ts';
import { hideSecret } from '../safe-text.ts';
import type { Pair, ReleaseSide } from '../sides/side.ts';
import { unifiedDiff } from '../unified-diff.ts';
import type { ReleaseChanges } from './changes.ts';

/** Maximum size of a text file in bytes. */
const maxBytes = 256 * 1024;

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

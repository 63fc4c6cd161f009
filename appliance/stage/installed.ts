import { installedMark } from '#contract/server-paths.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

/**
 * The release that a first boot brought up here, or nothing where none has come to its end yet. From
 * then on the unit of the first boot does not start, and nothing is tried again by itself.
 */
export async function installedRelease(host: Host): Promise<string | undefined> {
  const text = await readText(host, installedMark);
  return text === undefined ? undefined : plainLine(text.split('\n')[0] ?? '') || 'unknown';
}

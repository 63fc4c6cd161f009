import { installedMark } from '#contract/server-paths.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

/**
 * Returns the release of the last completed first boot; undefined before one has completed. After
 * that systemd no longer starts the first boot, so nothing is retried automatically.
 */
export async function installedRelease(host: Host): Promise<string | undefined> {
  const text = await readText(host, installedMark);
  return text === undefined ? undefined : plainLine(text.split('\n')[0] ?? '') || 'unknown';
}

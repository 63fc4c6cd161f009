import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { bootSettingsFile, installedMark, statusFile } from '#contract/server-paths.ts';
import { readJson } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { readText } from '../../appliance/host/files.ts';
import type { ServerSnapshot } from './server-snapshot.ts';

/** How far a server is. `fresh` and `waiting` need the bundle; `pinned` may have a part of it. */
type Progress = 'fresh' | 'pinned' | 'stages' | 'installed';

const bootSchema = z.looseObject({
  product: z.string(),
  version: z.string(),
  manifests: z.record(z.string(), z.string()),
});
type Boot = z.infer<typeof bootSchema>;

/**
 * Returns how far a server is with this release.
 * @param pin SHA-256 of its release.json
 * @throws LandfallError SERVER_UNFIT for a server of another release
 */
export async function progressOf({ host }: ServerSnapshot, pin: string): Promise<Progress> {
  const has = async (path: string) => (await readText(host, path)) !== undefined;
  const boot = await bootOf((await readText(host, bootSettingsFile)) ?? '');
  if (boot === undefined) return 'fresh';
  if (!Object.values(boot.manifests).includes(pin)) throw otherRelease(boot);
  if (await has(installedMark)) return 'installed';
  return (await has(statusFile)) ? 'stages' : 'pinned';
}

function bootOf(text: string): Boot | undefined {
  return readJson(bootSchema, text);
}

function otherRelease({ product, version }: Boot): LandfallError {
  return new LandfallError(
    'SERVER_UNFIT',
    `the server is set up for another release: ${plainLine(`${product} ${version}`)}`,
    { hint: 'Use the bundle of that release, or a fresh server. Nothing was changed.' },
  );
}

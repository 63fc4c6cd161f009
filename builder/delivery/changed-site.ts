import { LandfallError, type Problem } from '#contract/errors.ts';
import { siteFile, statusFile } from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { parseJson } from '#contract/text/json.ts';
import { secretLooks } from '#explain/secret-signs.ts';
import { readText } from '../../appliance/host/files.ts';
import type { RootShell } from '../ssh/root.ts';
import { asciiJson, briefSite, isSameValue } from '../user-data/server-file.ts';
import type { ServerSnapshot } from './server-snapshot.ts';

/**
 * Returns what differs between the site of a server and another one, one problem per field; empty for
 * the same site. Values that may be secrets are not printed.
 */
export async function siteDifferences(
  { host }: Pick<ServerSnapshot, 'host'>,
  site: Site,
): Promise<Problem[]> {
  const there = parseJson((await readText(host, siteFile)) ?? '') ?? {};
  const here = parseJson(asciiJson(briefSite(site))) ?? {};
  return [...differences(there, here, '')];
}

function* differences(there: unknown, here: unknown, path: string): Generator<Problem> {
  if (isSameValue(there, here)) return;
  if (isSection(there) && isSection(here)) {
    for (const name of new Set([...Object.keys(there), ...Object.keys(here)])) {
      const below = path === '' ? name : `${path}.${name}`;
      yield* differences(there[name], here[name], below);
    }
    return;
  }
  yield { message: `${path}: ${shown(there)} on the server, ${shown(here)} in site.yaml` };
}

function isSection(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  if (value === undefined) return 'the default';
  const text = JSON.stringify(value);
  if (secretLooks(text)) return 'another value';
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

/** Returns the error for a server that is set up already. */
export function siteIsFixed(problems: readonly Problem[]): LandfallError {
  return new LandfallError('SERVER_UNFIT', 'the server is set up with another site', {
    hint: 'Use the site of the server, or set up a fresh server: a new site for an existing one is not part of this version. Nothing was changed.',
    problems,
  });
}

/**
 * Stops a first boot, so that the files are sent again with the site. The stages continue where they
 * stopped, and apply what is new.
 */
export async function stopForNewSite(root: RootShell): Promise<void> {
  const { code } = await root.run(`systemctl stop landfall-boot.service && rm -f /${statusFile}`);
  if (code === 0) return;
  throw new LandfallError('COMMAND_FAILED', 'the first boot cannot be stopped', {
    hint: 'Run on the server: systemctl status landfall-boot',
  });
}

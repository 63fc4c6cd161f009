import { LandfallError, type Problem } from '#contract/errors.ts';
import { siteFile, statusFile } from '#contract/server-paths.ts';
import { siteDifferences } from '#contract/site/brief-site.ts';
import type { Site } from '#contract/site/site.ts';
import { parseJson } from '#contract/text/json.ts';
import { shownValue } from '#explain/shown-value.ts';
import { readText } from '../../appliance/host/files.ts';
import type { RootShell } from '../ssh/root.ts';
import type { ServerSnapshot } from './server-snapshot.ts';

/**
 * Returns what differs between the site of a server and another one, one problem per field; empty for
 * the same site. Values that may be secrets are not printed.
 */
export async function siteProblems(
  { host }: Pick<ServerSnapshot, 'host'>,
  site: Site,
): Promise<Problem[]> {
  const there = parseJson((await readText(host, siteFile)) ?? '') ?? {};
  return siteDifferences(there, site).map(({ field, before, after }) => ({
    message: `${field}: ${shownValue(before)} on the server, ${shownValue(after)} in site.yaml`,
  }));
}

/** Returns the error for a server that is set up already. */
export function siteIsFixed(problems: readonly Problem[]): LandfallError {
  return new LandfallError('SERVER_UNFIT', 'the server is set up with another site', {
    hint: 'Apply it with `landfall site push`. Nothing was changed.',
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

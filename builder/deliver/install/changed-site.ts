import { randomUUID } from 'node:crypto';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { siteFile, statusFile } from '#contract/server-paths.ts';
import { siteDifferences } from '#contract/site/brief-site.ts';
import type { Site } from '#contract/site/site.ts';
import { parseJson } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { shownValue } from '#explain/shown-value.ts';
import { readText } from '../../../appliance/server/host/files.ts';
import { lastLines } from '../ssh/printed.ts';
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
  // The server chooses the names of its fields, and how many there are.
  const problems = siteDifferences(there, site).map(({ field, before, after }) => ({
    message: `${plainLine(field, 80)}: ${shownValue(before)} on the server, ${shownValue(after)} in site.yaml`,
  }));
  const more = problems.length - maxProblems;
  return more <= 0
    ? problems
    : [...problems.slice(0, maxProblems), { message: `${more} more fields differ` }];
}

const maxProblems = 50;

/**
 * Writes a site into a file of its own on the server: another administrator may send one at the same time.
 * Removes what a lost connection has left a day ago.
 * @param folder absolute path; only root may enter it
 * @returns the absolute path of the file
 * @throws LandfallError COMMAND_FAILED
 */
export async function placePushedSite(
  root: RootShell,
  text: string,
  folder = '/var/lib/landfall/push',
): Promise<string> {
  const file = `${folder}/site-${randomUUID()}.yaml`;
  const clean = `find ${folder} -maxdepth 1 -name 'site*.yaml' -mtime +0 -delete`;
  const command = `umask 077 && mkdir -p ${folder} && ${clean} && cat >${file}`;
  const { code, stderr } = await root.run(command, text);
  if (code === 0) return file;
  throw new LandfallError('COMMAND_FAILED', 'the site cannot be written on the server', {
    hint: { en: 'The reason is above.', zh: '原因见上。' },
    problems: lastLines(stderr),
  });
}

/** Returns the error for a server that is set up already. */
export function siteIsFixed(problems: readonly Problem[]): LandfallError {
  return new LandfallError('SERVER_UNFIT', 'the server is set up with another site', {
    hint: {
      en: 'Apply it with `landfall site push`. Nothing was changed.',
      zh: '用 `landfall site push` 应用它。没有更改任何内容。',
    },
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
    hint: {
      en: 'Run on the server: systemctl status landfall-boot',
      zh: '在服务器上运行：systemctl status landfall-boot',
    },
  });
}

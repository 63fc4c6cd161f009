import { LandfallError, type Problem } from '#contract/errors.ts';
import { makeFolder, readText, removeFile } from '../host/files.ts';
import type { Context } from '../stage/stage.ts';

/** Something that a later stage fetches and that cannot be reached. */
export interface Unreachable extends Problem {
  /** What it is: a host, the images of a registry. */
  readonly subject: string;
}

const helper = '/usr/lib/apt/apt-helper';
/** apt's helpers read it as another user. */
const folder = 'run/landfall/precondition';

/** One small file of each archive that the distribution's packages come from. */
export async function archiveFiles({ host, server }: Context): Promise<string[]> {
  const { stdout } = await host.run('apt-get', ['update', '--print-uris']);
  const files = [...stdout.matchAll(/^'(\S+)\/dists\/(\S+)\/InRelease'/gm)]
    .map(([, base = '', suite = '']) => ({ base, suite }))
    .filter(({ suite }) => suite.startsWith(server.codename));
  const first = new Map(files.toReversed().map(({ base, suite }) => [base, suite]));
  const resolved = [...first].map(async ([base, suite]) => {
    const place = await throughMirrorList(host, base);
    return `${place.replace(/\/$/, '')}/dists/${suite}/InRelease`;
  });
  return await Promise.all(resolved);
}

/** Cloud images of Debian name a file with a list of archives in the place of one. */
async function throughMirrorList(host: Context['host'], base: string): Promise<string> {
  const path = /^mirror\+file:\/*(\/.+)$/.exec(base)?.[1];
  if (path === undefined) return base;
  const list = (await readText(host, path.slice(1))) ?? '';
  return /^\s*(https?:\/\/\S+)/m.exec(list)?.[1] ?? base;
}

/**
 * Fetches one small file of each archive the way that apt will go, proxies of the image included.
 * Gives those that cannot be reached, and why.
 */
export async function unreachableArchives(context: Context): Promise<Unreachable[]> {
  const { host } = context;
  await makeFolder(host, folder);
  const files = await archiveFiles(context);
  const failures: Unreachable[] = [];
  for (const [index, file] of files.entries()) {
    const target = `${folder}/${index}`;
    try {
      await host.run(helper, [...impatient, 'download-file', file, host.path(target)], {
        seconds: 90,
      });
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      const subject = new URL(file).host;
      failures.push({ subject, message: `packages: ${subject}: ${reasonOf(error)}` });
    } finally {
      await removeFile(host, target);
    }
  }
  return failures;
}

const impatient = [
  ['Acquire::Retries', '1'],
  ['Acquire::http::Timeout', '20'],
  ['Acquire::https::Timeout', '20'],
].flatMap(([name, value]) => ['-o', `${name}=${value}`]);

/** apt's own words, without the address that stands before them anyway. */
function reasonOf({ message, problems }: LandfallError): string {
  const said = problems.map((problem) => problem.message);
  const line = said.find((text) => /^E: Failed to fetch/.test(text)) ?? said.at(-1) ?? message;
  return line.replace(/^E: (?:Failed to fetch \S+\s+)?/, '').trim();
}

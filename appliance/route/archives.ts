import { type ErrorCode, LandfallError, type Problem } from '#contract/errors.ts';
import type { Text } from '#contract/text/language.ts';
import { makeFolder, readText, removeFile } from '../host/files.ts';
import type { Context } from '../stage/stage.ts';

/** A destination of this server that was probed. */
export interface Probed {
  /** For example `packages of deb.debian.org`, or the images of a registry. */
  readonly subject: string;
  /** Its name for users; absent for a file, whose name is the same in every language. */
  readonly title?: Text | undefined;
  /** Why it cannot be reached; `message` also names the destination. */
  readonly failure?: Failure | undefined;
}

interface Failure extends Problem {
  readonly reason: string;
  readonly code?: ErrorCode | undefined;
}

const helper = '/usr/lib/apt/apt-helper';
/** Must be readable by `_apt`, the user of apt's helpers. */
const folder = 'run/landfall/precondition';

/** Returns the URL of one small file per archive of the distribution. */
export async function archiveFiles({
  host,
  server,
}: Pick<Context, 'host' | 'server'>): Promise<string[]> {
  const { stdout } = await host.run('apt-get', ['update', '--print-uris']);
  const files = [...stdout.matchAll(/^'(\S+)\/dists\/(\S+)\/InRelease'/gm)]
    .map(([, base = '', suite = '']) => ({ base, suite }))
    .filter(({ suite }) => suite.startsWith(server.codename));
  const first = new Map(files.toReversed().map(({ base, suite }) => [base, suite]));
  const resolved = [...first].map(async ([base, suite]) => {
    const url = await throughMirrorList(host, base);
    return `${url.replace(/\/$/, '')}/dists/${suite}/InRelease`;
  });
  return await Promise.all(resolved);
}

/** Resolves a mirror list, which Debian's cloud images use instead of a URL. */
async function throughMirrorList(host: Context['host'], base: string): Promise<string> {
  const path = /^mirror\+file:\/*(\/.+)$/.exec(base)?.[1];
  if (path === undefined) return base;
  const list = (await readText(host, path.slice(1))) ?? '';
  return /^\s*(https?:\/\/\S+)/m.exec(list)?.[1] ?? base;
}

/**
 * Fetches one small file per archive with apt's own settings, including proxies of the image.
 * Returns every archive, with the reason if it cannot be reached.
 */
export async function probeArchives(context: Pick<Context, 'host' | 'server'>): Promise<Probed[]> {
  const { host } = context;
  await makeFolder(host, folder);
  const files = await archiveFiles(context);
  const probed: Probed[] = [];
  for (const [index, file] of files.entries()) {
    const target = `${folder}/${index}`;
    const name = new URL(file).host;
    const subject = `packages of ${name}`;
    const about = { subject, title: { en: subject, zh: `${name} 的软件包` } };
    try {
      await host.run(helper, [...shortTimeouts, 'download-file', file, host.path(target)], {
        seconds: 90,
      });
      probed.push(about);
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      const reason = reasonOf(error);
      const message = `packages: ${name}: ${reason}`;
      probed.push({ ...about, failure: { message, reason, code: 'NETWORK_UNREACHABLE' } });
    } finally {
      await removeFile(host, target);
    }
  }
  return probed;
}

const shortTimeouts = [
  ['Acquire::Retries', '1'],
  ['Acquire::http::Timeout', '20'],
  ['Acquire::https::Timeout', '20'],
].flatMap(([name, value]) => ['-o', `${name}=${value}`]);

/** Returns apt's error without the URL, which the message already contains. */
function reasonOf({ message, problems }: LandfallError): string {
  const said = problems.map((problem) => problem.message);
  const line = said.find((text) => /^E: Failed to fetch/.test(text)) ?? said.at(-1) ?? message;
  return line.replace(/^E: (?:Failed to fetch \S+\s+)?/, '').trim();
}

import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { cached } from './cached.ts';
import type { DebianMirror } from './debian-mirror.ts';
import type { Say } from './say.ts';

/** Debian's unstable suite has the newest Compose; what stable ships may be two years old. */
const suite = 'sid';
const packageName = 'docker-compose';
const inPackage = './usr/libexec/docker/cli-plugins/docker-compose';
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Gives the path of a Compose plugin, taken out of Debian's package without installing anything;
 * fetches it the first time.
 * @throws the error of apt-get or dpkg-deb with its output.
 */
export async function provideComposePlugin(
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<string> {
  const folder = await cached(cache, 'compose-plugin', { suite, packageName }, async (target) => {
    say('composePlugin', `taken out of Debian's ${packageName}, only once`);
    await mkdir(target);
    await extract(await mirror(), target);
  });
  return join(folder, packageName);
}

/** With lists and a cache of its own, so that the machine's apt knows nothing of this suite. */
async function extract({ url, settings }: DebianMirror, target: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'landfall-apt-'));
  try {
    await mkdir(join(work, 'lists/partial'), { recursive: true });
    await mkdir(join(work, 'archives/partial'), { recursive: true });
    await writeFile(join(work, 'sources'), `deb [signed-by=${keyring}] ${url} ${suite} main\n`);
    // Last word first: settings of the machine, then the folders. A proxy may carry a password.
    await writeFile(join(work, 'apt.conf'), settings + aptFolders(work), { mode: 0o600 });
    const apt = (...args: string[]) =>
      execa('apt-get', ['-q', ...args], { cwd: work, env: { APT_CONFIG: join(work, 'apt.conf') } });
    await apt('update');
    await apt('download', packageName);
    const archive = (await readdir(work)).find((name) => name.endsWith('.deb'));
    if (!archive) throw new Error(`apt-get downloaded no ${packageName}`);
    await execa('dpkg-deb', ['--extract', archive, 'tree'], { cwd: work });
    await rename(join(work, 'tree', inPackage), join(work, packageName));
    await execa('install', ['-m', '755', join(work, packageName), target]);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** `APT::Sandbox::User` spares the warning that the user of apt cannot write here. */
function aptFolders(work: string): string {
  return `Dir::Etc::sourcelist "${work}/sources";
Dir::Etc::sourceparts "/dev/null";
Dir::State::lists "${work}/lists";
Dir::Cache::archives "${work}/archives";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Acquire::Languages "none";
Acquire::Check-Valid-Until "false";
APT::Sandbox::User "root";
`;
}

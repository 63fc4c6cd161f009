import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import type { DebianMirror } from './debian-mirror.ts';

export interface AptArchiveOptions {
  readonly suite: 'bookworm' | 'trixie' | 'sid';
  readonly architecture: 'amd64' | 'arm64';
  readonly mirror: DebianMirror;
  /** Path of dpkg's status file (dpkg(1), FILES); default: empty. */
  readonly status?: string;
}

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Downloads packages of a Debian suite, with separate package lists and cache. It installs nothing
 * and does not change the machine's apt.
 */
export class AptArchive {
  readonly #folder: string;
  /** apt locks its cache, so downloads run sequentially. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws the error of apt-get with its output. */
  static async open(options: AptArchiveOptions): Promise<AptArchive> {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-apt-'));
    try {
      for (const name of ['lists', 'archives', 'none']) {
        await mkdir(join(folder, name, 'partial'), { recursive: true });
      }
      const { suite, mirror } = options;
      const source = `deb [signed-by=${keyring}] ${mirror.url} ${suite} main\n`;
      await writeFile(join(folder, 'sources'), source);
      await writeFile(join(folder, 'status'), '');
      // In a file: a proxy URL may contain a password.
      await writeFile(join(folder, 'apt.conf'), settings(folder, options), { mode: 0o600 });
      const archive = new AptArchive(folder);
      await archive.#apt('update', '--error-on=any');
      return archive;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /**
   * Downloads packages and all their dependencies.
   * @returns the paths of the .deb files, sorted; `close` removes them
   * @throws the error of apt-get with its output.
   */
  async download(packages: readonly string[]): Promise<readonly string[]> {
    const install = ['install', '--yes', ...packages];
    // With an empty cache, apt lists all files, also those already downloaded.
    const nothing = `-oDir::Cache::archives=${join(this.#folder, 'none')}`;
    const uris = await this.#apt(...install, '--print-uris', '-qq', nothing);
    const running = this.#last.then(() => this.#apt(...install, '--download-only'));
    this.#last = running.catch(() => undefined);
    await running;
    const names = uris.split('\n').flatMap((line) => /^'[^']+' (\S+\.deb) /.exec(line)?.[1] ?? []);
    return names.sort().map((name) => join(this.#folder, 'archives', name));
  }

  /**
   * Downloads one package without its dependencies.
   * @returns the path of the .deb file; `close` removes it
   * @throws the error of apt-get with its output.
   */
  async downloadAlone(name: string): Promise<string> {
    await this.#apt('download', name);
    const file = (await readdir(this.#folder)).find((entry) => entry.endsWith('.deb'));
    if (!file) throw new Error(`apt-get downloaded no ${name}`);
    return join(this.#folder, file);
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #apt(...args: string[]): Promise<string> {
    const env = { APT_CONFIG: join(this.#folder, 'apt.conf'), LC_ALL: 'C.UTF-8' };
    const { stdout } = await execa('apt-get', ['-q', ...args], { cwd: this.#folder, env });
    return stdout;
  }
}

/** The settings of the machine come first: apt uses the last value. */
function settings(folder: string, options: AptArchiveOptions): string {
  const { architecture, mirror, status = `${folder}/status` } = options;
  return `${mirror.settings}
APT::Architecture "${architecture}";
APT::Architectures { "${architecture}"; };
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
Acquire::Retries "5";
Dir::Cache::archives "${folder}/archives";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Dir::Etc::parts "/dev/null";
Dir::Etc::sourcelist "${folder}/sources";
Dir::Etc::sourceparts "/dev/null";
Dir::State::lists "${folder}/lists";
Dir::State::status "${status}";
`;
}

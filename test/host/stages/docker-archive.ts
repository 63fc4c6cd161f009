import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { sha256Hex } from '#contract/trust/digest.ts';
import { AptArchive } from '../../setup/debian/apt-archive.ts';
import { findDebianMirror } from '../../setup/debian/debian-mirror.ts';

/** Docker's packages, each with the package of Debian 13 whose files it gets. */
const packages = [
  { name: 'docker-ce', original: 'docker.io', depends: 'containerd.io, docker-ce-cli, iptables' },
  { name: 'docker-ce-cli', original: 'docker-cli', depends: '' },
  { name: 'containerd.io', original: 'containerd', depends: 'runc' },
] as const;
const suite = 'trixie';
const epoch = '5:';

/** A stand-in archive of download.docker.com, signed with a key of its own. */
export interface DockerArchive {
  /** Folder to serve; the archive of Debian is in `linux/debian`. */
  readonly folder: string;
  /** Public key that signs the archive, as text. */
  readonly key: string;
}

/** Packs Debian's Docker for Debian 13 under the names of Docker's own packages. */
export async function dockerArchive(gpg: string): Promise<DockerArchive> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-docker-archive-'));
  const root = join(folder, 'linux/debian');
  const pool = join(root, 'pool');
  await mkdir(pool, { recursive: true });
  const mirror = await findDebianMirror();
  const archive = await AptArchive.open({ suite, architecture: 'amd64', mirror });
  const entries: string[] = [];
  try {
    const debs = await archive.download(packages.map(({ original }) => original));
    for (const { name, original, depends } of packages) {
      const deb = debs.find((path) => basename(path).startsWith(`${original}_`)) ?? '';
      entries.push(await repacked(deb, { name, depends, pool }));
    }
  } finally {
    await archive.close();
  }
  return { folder, key: await sign(root, entries.join('\n'), gpg) };
}

/** Renames a package. Returns its entry in the index of an archive. */
async function repacked(
  deb: string,
  { name, depends, pool }: { name: string; depends: string; pool: string },
): Promise<string> {
  const tree = join(pool, `${name}.tree`);
  await execa('dpkg-deb', ['--raw-extract', deb, tree]);
  const control = join(tree, 'DEBIAN/control');
  const version = /^Version: (?:\d+:)?(.*)$/m.exec(await readFile(control, 'utf8'))?.[1] ?? '';
  const fields = [
    `Package: ${name}`,
    `Version: ${epoch}${version}`,
    'Architecture: amd64',
    'Maintainer: Landfall tests <tests@example.com>',
    ...(depends === '' ? [] : [`Depends: ${depends}`]),
    `Description: stand-in for ${name}`,
    '',
  ].join('\n');
  await writeFile(control, fields);
  const path = join(pool, `${name}.deb`);
  await execa('dpkg-deb', ['--build', '--root-owner-group', '-Znone', tree, path]);
  await rm(tree, { recursive: true });
  const bytes = await readFile(path);
  const { size } = await stat(path);
  return `${fields}Filename: pool/${name}.deb\nSize: ${size}\nSHA256: ${sha256Hex(bytes)}\n`;
}

/** Writes the index and its signature. Returns the public key. */
async function sign(root: string, index: string, gpg: string): Promise<string> {
  const suiteFolder = join(root, 'dists', suite);
  const listPath = 'stable/binary-amd64/Packages';
  await mkdir(join(suiteFolder, 'stable/binary-amd64'), { recursive: true });
  await writeFile(join(suiteFolder, listPath), index);
  const release = [
    ...['Origin: Docker', 'Label: Docker CE', `Suite: ${suite}`, `Codename: ${suite}`],
    ...[`Date: ${new Date().toUTCString()}`, 'Architectures: amd64', 'Components: stable'],
    ...['SHA256:', ` ${sha256Hex(index)} ${Buffer.byteLength(index)} ${listPath}`, ''],
  ].join('\n');
  const home = await mkdtemp(join(tmpdir(), 'landfall-gpg-'));
  try {
    const options = ['--homedir', home, '--batch', '--quiet', '--pinentry-mode', 'loopback'];
    const run = (...args: string[]) =>
      execa(gpg, [...options, '--passphrase', '', ...args], { input: release });
    await run('--quick-generate-key', 'Docker stand-in <tests@example.com>', 'rsa3072', 'sign');
    const { stdout } = await run('--clearsign');
    await writeFile(join(suiteFolder, 'InRelease'), `${stdout}\n`);
    return `${(await run('--armor', '--export')).stdout}\n`;
  } finally {
    await execa('gpgconf', ['--homedir', home, '--kill', 'all'], { reject: false });
    await rm(home, { recursive: true, force: true });
  }
}

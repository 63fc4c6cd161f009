import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

const version = '4.100.3';
const integrity =
  'sha512-q/Fh2DOxCRNhC/WiG/6sAhSKnj7ZACTVBaeeZ+rWjol//0FCbl/qg1ln5ecZ99jYcfqMxZZAyWcN+YBIo0DgpA==';
const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--omit=dev'];

/**
 * Installs the pinned code-server once, and returns the path of its program. Plain `npm install`
 * fails: its scripts download programs from other hosts. Without them, the part that installs
 * extensions needs only one native module.
 */
export async function installCodeServer(): Promise<string> {
  const cache = join(homedir(), '.cache', 'landfall-test');
  const target = join(cache, `code-server-${version}`);
  const program = join(target, 'out/node/entry.js');
  if (await stat(program).catch(() => undefined)) return program;
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await execa('npm', ['pack', `code-server@${version}`], { cwd: unfinished });
  const archive = join(unfinished, `code-server-${version}.tgz`);
  const hash = createHash('sha512').update(await readFile(archive));
  if (`sha512-${hash.digest('base64')}` !== integrity) throw new Error('wrong code-server archive');
  await execa('tar', ['-xzf', archive], { cwd: unfinished });
  const cwd = join(unfinished, 'package');
  await execa('npm', ['install', ...quiet], { cwd });
  await execa('npm', ['install', ...quiet], { cwd: join(cwd, 'lib/vscode') });
  await execa('npm', ['rebuild', 'argon2'], { cwd });
  await rename(cwd, target);
  await rm(unfinished, { recursive: true });
  return program;
}

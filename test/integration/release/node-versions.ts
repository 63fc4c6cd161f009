import { join } from 'node:path';
import { execa } from 'execa';

/**
 * Installs a version of Node from its npm package.
 * @returns path of the program
 */
export async function installNode(version: string, folder: string): Promise<string> {
  const name = `node-linux-${process.arch}`;
  const prefix = join(folder, `node-${version}`);
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const args = ['install', '--prefix', prefix, `${name}@${version}`, ...quiet];
  await execa('npm', args, { cwd: folder, stdin: 'ignore' });
  return join(prefix, 'node_modules', name, 'bin/node');
}

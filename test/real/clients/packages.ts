import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { cached } from '../../setup/cached.ts';
import { providePythonPackage } from '../../setup/real/python-package.ts';
import { cacheFolder } from '../../setup/workspace.ts';

/** The versions that run here, by the name of the client. `docs/clients.md` names them too. */
export const packages = {
  'claude-code': { npm: '@anthropic-ai/claude-code', version: '2.1.332' },
  codex: { npm: '@openai/codex', version: '0.171.0' },
  'gemini-cli': { npm: '@google/gemini-cli', version: '0.61.0' },
  opencode: { npm: 'opencode-ai', version: '1.18.33' },
  'qwen-code': { npm: '@qwen-code/qwen-code', version: '0.24.4' },
  cline: { npm: 'cline', version: '3.0.65' },
  continue: { npm: '@continuedev/cli', version: '1.5.47' },
  aider: { pypi: 'aider-chat', version: '0.86.2' },
  llm: { pypi: 'llm', version: '0.36' },
} as const;

export type Package = keyof typeof packages;

/** The variables with which the programs of a package run. */
export type Variables = Readonly<Record<string, string>>;

/** With the Node of the tests first: some clients need a newer one than the system may have. */
const path = [dirname(process.execPath), process.env.PATH].join(delimiter);

/** Installs a client the first time; those of npm together. */
export async function provideClient(name: Package): Promise<Variables> {
  const found = packages[name];
  if ('pypi' in found) {
    const folder = await providePythonPackage(found.pypi, found.version);
    return { PATH: [join(folder, 'bin'), path].join(delimiter), PYTHONPATH: folder };
  }
  return { PATH: [join(await provideNpmClients(), 'node_modules/.bin'), path].join(delimiter) };
}

async function provideNpmClients(): Promise<string> {
  const cache = cacheFolder();
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const names = Object.values(packages).flatMap((each) =>
    'npm' in each ? [`${each.npm}@${each.version}`] : [],
  );
  return await cached(cache, 'clients-npm', names, async (target) => {
    await mkdir(target);
    await writeFile(join(target, 'package.json'), '{ "private": true }');
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    await execa('npm', ['install', ...quiet, ...names], { cwd: target, env: { PATH: path } });
  });
}

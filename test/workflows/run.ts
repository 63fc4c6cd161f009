import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { cached } from '../setup/cached.ts';
import { cacheFolder } from '../setup/workspace.ts';

/*
 * `npm run test:workflows`: checks the workflows with actionlint and zizmor. Both are installed into
 * the cache the first time, from the Go module proxy and from PyPI. Needs go and python3; without
 * them the tool is skipped, except in CI.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Tool {
  readonly name: string;
  readonly version: string;
  /** The program that installs it. */
  readonly installer: string;
  install(folder: string): Promise<unknown>;
  readonly args: readonly string[];
}

const show = { stdout: 'inherit', stderr: 'inherit' } as const;
const actionlint = 'github.com/rhysd/actionlint/cmd/actionlint';

const tools: readonly Tool[] = [
  {
    name: 'actionlint',
    version: '1.7.12',
    installer: 'go',
    install: (folder) =>
      execa('go', ['install', `${actionlint}@v1.7.12`], {
        ...show,
        env: { GOBIN: join(folder, 'bin') },
      }),
    args: ['-color=false'],
  },
  {
    name: 'zizmor',
    version: '1.32.0',
    installer: 'python3',
    install: async (folder) => {
      await execa('python3', ['-m', 'venv', folder], show);
      const wheels = ['--only-binary=:all:', '--disable-pip-version-check', '--quiet'];
      await execa(join(folder, 'bin/pip'), ['install', ...wheels, 'zizmor==1.32.0'], show);
    },
    // Offline: it asks the code host for nothing.
    args: ['--offline', '--persona=pedantic', '.github/workflows', 'action.yml'],
  },
];

for (const tool of tools) if (!(await passes(tool))) process.exitCode = 1;

async function passes({ name, version, installer, install, args }: Tool): Promise<boolean> {
  const { failed } = await execa(installer, [installer === 'go' ? 'version' : '--version'], {
    reject: false,
  });
  if (failed) {
    console.log(`${name}: skipped, because ${installer} is not installed`);
    return !process.env.CI;
  }
  await mkdir(cacheFolder(), { recursive: true, mode: 0o700 });
  const folder = await cached(cacheFolder(), name, { version }, async (target) => {
    console.log(`${name}: installing ${version} once`);
    await mkdir(target);
    await install(target);
  });
  const program = join(folder, 'bin', name);
  if (!existsSync(program)) throw new Error(`${name} was not installed`);
  const { exitCode } = await execa(program, args, { cwd: root, reject: false, ...show });
  console.log(`${name} ${version}: ${exitCode === 0 ? 'passed' : `exit code ${exitCode}`}`);
  return exitCode === 0;
}

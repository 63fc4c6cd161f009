import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const recorder = fileURLToPath(new URL('./print-loaded.ts', import.meta.url));
const command = fileURLToPath(new URL('../../../builder/bin/landfall.mjs', import.meta.url));

interface LoadedModules {
  /** Paths of the project's files, from its root. */
  readonly files: readonly string[];
  /** Names of npm packages, sorted and without duplicates. */
  readonly packages: readonly string[];
}

/** Runs a command line of the builder and returns the modules that it loaded. */
export async function modulesOf(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<LoadedModules> {
  const words = ['--import', recorder, command, ...args];
  const { stderr } = await execa(process.execPath, words, { stdin: 'ignore', ...options });
  const paths = stderr
    .split('\n')
    .filter((line) => line.startsWith('file:'))
    .map((url) => relative(root, fileURLToPath(url)));
  const packages = paths.flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  );
  return {
    files: paths.filter((path) => !path.includes('node_modules/')),
    packages: [...new Set(packages)].sort(),
  };
}

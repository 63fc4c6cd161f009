import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { LandfallError } from '#contract/errors.ts';
import { formatKeyId, type TrustedKeys } from '#contract/trust/keys.ts';
import { factVariables } from '../package/release-facts.ts';

/**
 * Returns the environment in which a package describes its release, with the keys of the release. Empty
 * without URLs: the package describes no release.
 */
export function factEnvironment(
  env: NodeJS.ProcessEnv,
  { release, recovery }: TrustedKeys,
): NodeJS.ProcessEnv {
  const { urls, keys, keyId, keyPage, recoveryKey } = factVariables;
  const [first] = release;
  if (!env[urls]?.trim() || !first) return {};
  return {
    [urls]: env[urls],
    [keys]: release.map(({ spki }) => spki).join(' '),
    [keyId]: env[keyId] || formatKeyId(first.id),
    ...(recovery ? { [recoveryKey]: recovery.spki } : {}),
    ...(env[keyPage] ? { [keyPage]: env[keyPage] } : {}),
  };
}

/**
 * Packs the npm package of a checkout.
 * @param facts the environment of `factEnvironment`
 * @returns path of the package
 * @throws LandfallError COMMAND_FAILED with the output of npm
 */
export async function packPackage(
  root: string,
  folder: string,
  version: string,
  facts: NodeJS.ProcessEnv,
): Promise<string> {
  const args = ['pack', '--pack-destination', folder, '--loglevel=error', '--no-update-notifier'];
  const others = Object.values(factVariables).map((name) => [name, undefined] as const);
  const { all, exitCode } = await execa('npm', args, {
    cwd: root,
    all: true,
    env: { ...Object.fromEntries(others), ...facts },
    reject: false,
    stdin: 'ignore',
  });
  const path = join(folder, `landfall-${version}.tgz`);
  if (exitCode === 0 && existsSync(path)) return path;
  throw new LandfallError('COMMAND_FAILED', 'npm pack failed', {
    hint: 'Run `npm pack` in the checkout.',
    problems: (all ?? '')
      .split('\n')
      .filter(Boolean)
      .slice(-10)
      .map((message) => ({ message })),
  });
}

/**
 * Unpacks a package into a folder, to use its program as its users do. Returns the path of the
 * command `landfall`.
 */
export async function unpackPackage(path: string, folder: string): Promise<string> {
  await execa('tar', ['-xzf', path, '-C', folder], { stdin: 'ignore' });
  return join(folder, 'package/builder/bin/landfall.mjs');
}

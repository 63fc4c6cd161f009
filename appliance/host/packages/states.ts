import type { Host } from '../host.ts';

/**
 * Returns the states of Debian packages by name, such as `installed` or `config-files`
 * (dpkg-query(1), `db:Status-Status`). Packages unknown to dpkg are missing from the map.
 * @param names all packages of the server if empty
 */
export async function packageStates(
  host: Host,
  names: readonly string[] = [],
): Promise<Map<string, string>> {
  const { stdout } = await host.run(
    'dpkg-query',
    ['--show', '--showformat=${Package} ${db:Status-Status}\n', ...names],
    { accept: [1] },
  );
  return new Map(
    [...stdout.matchAll(/^(\S+) (\S+)$/gm)].map(([, name = '', state = '']) => [name, state]),
  );
}

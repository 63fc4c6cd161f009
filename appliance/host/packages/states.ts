import type { Host } from '../host.ts';

/**
 * Returns the states of Debian packages by name, such as `installed` or `config-files`
 * (dpkg-query(1), `db:Status-Status`). A package that dpkg does not know has none.
 * @param names every package of the server when there are none
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

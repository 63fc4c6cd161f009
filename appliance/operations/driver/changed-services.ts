import { rm } from 'node:fs/promises';
import { writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import type { Context } from '../../server/stage/stage.ts';
import { compose, composeFiles } from '../../stages/stack/compose.ts';
import { renderForServer } from '../../stages/stack/write-stack.ts';

/** What Compose would read for the new release; removed afterwards. Relative to the root folder. */
const candidate = 'run/landfall/next-stack';

/**
 * Returns the services whose containers a release would replace, by the hash with which Compose decides
 * it, and those that it would add or remove. Changes nothing.
 * @throws LandfallError COMMAND_FAILED, and STATE_INVALID if a secret of the release does not exist yet
 */
export async function changedServices(context: Context): Promise<string[]> {
  const { host, releaseFolder } = context;
  const files = await renderForServer(context);
  try {
    for (const { path, content } of files.filter(({ path }) => composeFiles.includes(path))) {
      await writeText(host, `${candidate}/${path}`, content, { mode: 0o600 });
    }
    const args = ['config', '--hash', '*'];
    const { stdout } = await compose(host, releaseFolder, args, { stack: candidate });
    const wanted = new Map(pairsIn(stdout, ' '));
    const running = await runningHashes(host);
    const names = new Set([...wanted.keys(), ...running.keys()]);
    return [...names].filter((name) => wanted.get(name) !== running.get(name)).sort();
  } finally {
    await rm(host.path(candidate), { recursive: true, force: true });
  }
}

async function runningHashes(host: Host): Promise<ReadonlyMap<string, string>> {
  const label = (name: string) => `{{.Label "com.docker.compose.${name}"}}`;
  const project = 'label=com.docker.compose.project=landfall';
  const format = `${label('service')}\t${label('config-hash')}`;
  const { stdout } = await host.run('docker', [
    ...['ps', '--all', '--filter', project],
    ...['--filter', 'label=com.docker.compose.oneoff=False', '--format', format],
  ]);
  return new Map(pairsIn(stdout, '\t'));
}

function pairsIn(text: string, separator: string): Array<[string, string]> {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', hash = ''] = line.split(separator);
      return [name, hash];
    });
}

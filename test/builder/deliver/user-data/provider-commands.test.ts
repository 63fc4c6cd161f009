import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { workFolder } from '../../../simulator/work-folder.ts';

const page = await readFile(new URL('../../../../docs/providers.md', import.meta.url), 'utf8');
const [, block = ''] = /```sh\n(hcloud [^`]*)```/.exec(page) ?? [];
const commands = block
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '');

/** A command line of a provider: it prints the user-data that an argument names or contains. */
const standIn = `#!/bin/sh
for word; do
  case $word in
    file://*.yaml) cat "\${word#file://}" ;;
    user-data=*.yaml) cat "\${word#user-data=}" ;;
    *.yaml) cat "$word" ;;
  esac
  [ "$before" != --metadata.user_data ] || printf %s "$word" | base64 -d
  before=$word
done
`;

const folder = await workFolder();
const programs = new Set(commands.map((command) => command.split(' ')[0] ?? ''));
for (const program of programs) {
  await writeFile(join(folder, program), standIn);
  await chmod(join(folder, program), 0o755);
}
await writeFile(join(folder, 'user-data.yaml'), '#cloud-config\n');

it('finds the command lines of the page', () => {
  expect(programs.size).toBe(7);
});

it.each(commands)('passes the file of landfall user-data: %s', async (command) => {
  const { stdout } = await execa('sh', ['-euc', command], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}` },
  });
  expect(stdout).toBe('#cloud-config');
});

import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { consoles } from '../../../../builder/deliver/user-data/consoles.ts';
import { workFolder } from '../../../simulator/work-folder.ts';

const commands = Object.values(consoles).flatMap(({ command }) => command ?? []);

/** A command line of a provider: it prints the user-data that an argument names or contains. */
const standIn = `#!/bin/sh
for word; do
  case $word in
    file://*.yaml) cat "\${word#file://}" ;;
    user-data=*.yaml) cat "\${word#user-data=}" ;;
    *.yaml) cat "$word" ;;
    --server.user_data=*) printf %s "\${word#*=}" | base64 -d ;;
    guestinfo.userdata=*) printf %s "\${word#*=}" | base64 -d ;;
  esac
  case $before in
    --metadata.user_data | --UserData | --Content) printf %s "$word" | base64 -d ;;
    --CommandContent) printf %s "$word" ;;
  esac
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
await writeFile(join(folder, 'user-data.sh'), '#!/bin/sh\n');

it('finds a command for every provider', () => {
  expect(commands).toHaveLength(Object.keys(consoles).length);
});

it.each(commands)('passes the file of landfall user-data: %s', async (command) => {
  const { stdout } = await execa('sh', ['-euc', `before=\n${command}`], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}` },
  });
  expect(stdout).toBe(command.includes('user-data.sh') ? '#!/bin/sh' : '#cloud-config');
});

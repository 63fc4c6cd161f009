import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { renderUserData } from '../../../../builder/deliver/user-data/render.ts';
import { workFolder } from '../../../simulator/work-folder.ts';
import { inputsWith } from './rendered.ts';

const page = await readFile(new URL('../../../../docs/first-boot.md', import.meta.url), 'utf8');
const [, command = ''] = /```sh\n(awk -v name=unpack\.py [^`]*)```/.exec(page) ?? [];
const folder = await workFolder();

it('the documented command computes the SHA-256 of each script in user-data', async () => {
  const { bytes, bootstrap } = renderUserData(inputsWith());
  await writeFile(join(folder, 'user-data.yaml'), bytes);
  for (const { name, sha256 } of bootstrap) {
    const script = command.replace('name=unpack.py', `name=${name}`);
    const { stdout } = await execa('sh', ['-c', script], { cwd: folder });
    expect(stdout).toBe(`${sha256}  -`);
  }
  expect(bootstrap).toHaveLength(4);
});

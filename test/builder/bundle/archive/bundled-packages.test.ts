import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packagesOf } from '../../../../builder/bundle/archive/bundled-program.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'landfall-packages-'));
});
afterEach(() => rm(root, { recursive: true }));

async function install(folder: string, manifest: object): Promise<void> {
  await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, folder, 'package.json'), JSON.stringify(manifest));
}

describe('the packages in a program', () => {
  it('lists the packages of a program once each in order, with the innermost of nested folders', async () => {
    await install('node_modules/b', { name: 'b', version: '2.0.0', license: 'MIT' });
    await install('node_modules/@scope/a', { name: '@scope/a', version: '1.0.0' });
    await install('node_modules/b/node_modules/c', { name: 'c', version: '3.0.0' });
    const files = [
      'appliance/commands/main.ts',
      'node_modules/b/lib/index.js',
      'node_modules/b/lib/other.js',
      'node_modules/b/node_modules/c/index.js',
      'node_modules/@scope/a/index.js',
    ];
    expect(await packagesOf(files, root)).toEqual([
      { name: '@scope/a', version: '1.0.0' },
      { name: 'b', version: '2.0.0', license: 'MIT' },
      { name: 'c', version: '3.0.0' },
    ]);
  });

  it('reads the checksum of the folder of a package from package-lock.json', async () => {
    await install('node_modules/b', { name: 'b', version: '2.0.0' });
    const sha512 = 'ab'.repeat(64);
    const integrity = `sha512-${Buffer.from(sha512, 'hex').toString('base64')}`;
    const packages = { 'node_modules/b': { integrity }, 'node_modules/x/node_modules/b': {} };
    await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages }));
    expect(await packagesOf(['node_modules/b/index.js'], root)).toMatchObject([{ sha512 }]);
  });

  it('reads the text of the license files of a package', async () => {
    await install('node_modules/b', { name: 'b', version: '2.0.0' });
    await writeFile(join(root, 'node_modules/b/LICENSE.md'), 'Copyright b\n');
    await writeFile(join(root, 'node_modules/b/NOTICE'), 'Notice of b\n');
    expect(await packagesOf(['node_modules/b/index.js'], root)).toMatchObject([
      { licenseText: 'Copyright b\n\n\nNotice of b\n' },
    ]);
  });

  it('omit unknown values', async () => {
    await install('node_modules/b', { name: 'b', version: '2.0.0', license: { type: 'MIT' } });
    expect(await packagesOf(['node_modules/b/index.js'], root)).toEqual([
      { name: 'b', version: '2.0.0' },
    ]);
    expect(await packagesOf(['appliance/commands/main.ts'], root)).toEqual([]);
  });
});

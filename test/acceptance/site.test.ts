import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readSite } from '../../builder/inputs/config/site.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { acceptanceSite } from './site.ts';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 a';
const model = { manifest: null, role: 'chat' } as const;

it('an accepted server gets a valid site with the smallest chat model', async () => {
  const models = [
    { ...model, name: 'large:8b', size: 5_000_000 },
    { ...model, name: 'small:1b', size: 1_000_000 },
    { ...model, name: 'unknown:1b', size: null },
    { ...model, name: 'embed:1b', size: 1000, role: 'embedding' as const },
  ];
  const site = acceptanceSite({ models }, 'http://10.0.2.2:8080/', key);
  expect(site.models).toEqual(['small:1b']);
  const path = join(await workFolder(), 'site.yaml');
  await writeFile(path, stringify(site));
  expect(await readSite(path)).toMatchObject({ models: ['small:1b'] });
});

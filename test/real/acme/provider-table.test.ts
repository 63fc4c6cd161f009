import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { legoVersion } from '#contract/site/certificates/provider-table.ts';
import { descriptionsIn } from '../../../builder/publish/dns-providers/descriptions.ts';
import { renderProviders } from '../../../builder/publish/dns-providers/render.ts';
import { needs } from '../../integration/needs.ts';

const real = needs('lego');

real.describe('the table of DNS providers', () => {
  it('matches what lego of this version describes', async () => {
    const module = `github.com/go-acme/lego/${legoVersion.split('.')[0]}@${legoVersion}`;
    const { stdout } = await execa('go', ['mod', 'download', '-json', module], { cwd: tmpdir() });
    const { Dir: folder } = JSON.parse(stdout) as { readonly Dir: string };
    const path = '../../../appliance/shared/contract/site/certificates/provider-table.ts';
    const text = await readFile(new URL(path, import.meta.url), 'utf8');
    expect(renderProviders(legoVersion, descriptionsIn(folder))).toBe(text);
  });
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { nameOf } from './build.ts';
import { referenceStack } from './reference-stack.ts';

it('contains every image that the shipped appliance names, under that name', () => {
  const file = new URL('../../builder/inputs/appliance.yaml', import.meta.url);
  const { components }: { components: Record<string, { image: string }> } = parse(
    readFileSync(file, 'utf8'),
  );
  const part = { source: '', identity: '' };
  const programs = { engine: '', ui: '', frontEnd: '', relay: '' };
  const made = referenceStack({ ...programs, node: part, llama: part, lego: part }).map(nameOf);
  for (const { image } of Object.values(components)) {
    const short = /^[^/]+\.[^/]+\//.test(image) ? image : `docker.io/${image}`;
    const full = short.replace(/^docker\.io\/([^/]+)$/, 'docker.io/library/$1');
    expect(made).toContain(full);
  }
});

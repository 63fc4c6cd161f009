import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The table, the two lists of code for single components, the clients of the relay, and the licenses of images. */
const shared = [
  'appliance/shared/clients/chats.ts',
  'appliance/shared/contract/components.ts',
  'appliance/shared/smoke/smoke-tests.ts',
  'appliance/stages/stack/components/registry.ts',
  'builder/inputs/licenses/image-licenses.ts',
];

const sources = ['appliance', 'builder'].flatMap((folder) =>
  readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${folder}/${path}`),
);

describe('an optional component, such as LobeChat', () => {
  it('names an optional component only in the table, the lists, the licenses and its own files', () => {
    const naming = sources
      .filter((path) => !/\/lobe[-./]/.test(path))
      .filter((path) => /\blobe/i.test(readFileSync(`${root}/${path}`, 'utf8')));
    expect(naming.sort(), 'use the table of components instead of the name').toEqual(shared);
  });
});

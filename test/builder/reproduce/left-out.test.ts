import { expect, it } from 'vitest';
import { leftOut } from '../../../builder/reproduce/left-out.ts';
import { releaseWith } from './rig.ts';

const model = { name: 'tiny:1b', role: 'chat' as const, manifest: null, size: null };
const image = {
  component: 'ui',
  reference: 'team/ui:1',
  index: `sha256:${'0'.repeat(64)}`,
  manifest: null,
  config: null,
  size: null,
  optional: false,
};
const components = {
  ui: { image: 'team/ui:1', optional: false },
  chat: { image: 'team/chat:1', optional: true },
  engine: { image: 'team/engine:1', optional: false },
};

it('finds optional components and models that a release does not have', () => {
  const models = [{ name: 'tiny:1b' }, { name: 'large:70b' }];
  const appliance = { components, models };
  const release = releaseWith([{ path: 'a', sha256: '0'.repeat(64) }], {
    images: [image],
    models: [model],
  });
  expect([...leftOut(appliance, release)]).toEqual(['chat', 'large:70b']);
});

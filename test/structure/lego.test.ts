import { expect, it } from 'vitest';
import { legoVersion } from '#contract/site/certificates/provider-table.ts';
import { textOf } from './sources.ts';

it('knows the DNS providers of the lego that a release contains', () => {
  expect(textOf('builder/inputs/appliance.yaml'), 'run npm run dns-providers').toContain(
    `acme: { image: goacme/lego:${legoVersion} }`,
  );
});

import { expect, it } from 'vitest';
import { enginePackages } from '../../../appliance/runtime/packages.ts';

it.each([
  ['debian', '12', false],
  ['debian', '13', true],
  ['ubuntu', '22.04', false],
  ['ubuntu', '24.04', false],
  ['ubuntu', '26.04', false],
])('%s %s has the command docker in a package of its own: %s', (id, version, own) => {
  const packages = enginePackages({ distribution: { id, version } });
  expect(packages).toContain('docker.io');
  expect(packages.includes('docker-cli')).toBe(own);
});

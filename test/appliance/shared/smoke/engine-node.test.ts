import { describe, expect, it } from 'vitest';
import { smokeTests } from '../../../../appliance/shared/smoke/smoke-tests.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { insideTarget } from './inside-target.ts';

describe('the smoke tests of an engine node', () => {
  it('skip the components that it does not run', async () => {
    const target = insideTarget({
      role: 'engine-node',
      engine_node: { client_ca: new CertificateAuthority().cert, clients: ['203.0.113.20'] },
    });
    const others = smokeTests.filter(({ name }) => /^(ui|proxy|chat|lobe|relay)-/.test(name));
    expect(others.length).toBeGreaterThan(10);
    for (const { name, notFor } of others) {
      expect(await notFor?.(target), name).toBe('an engine node does not run it');
    }
  });
});

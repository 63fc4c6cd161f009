import { describe, expect, it } from 'vitest';
import { findClient } from '#clients/clients.ts';
import { packages } from '../../../real/clients/packages.ts';

describe('the clients that run in test/real/clients', () => {
  it.each(Object.entries(packages))(
    'names the version of %s that runs there in the table',
    (name, { version }) => {
      expect(findClient(name).evidence).toMatchObject({ tried: version });
    },
  );
});

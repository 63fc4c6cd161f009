import { describe, expect, it } from 'vitest';
import { checkComponents } from '../../../appliance/preflight/components.ts';
import { contextFor, imageOf } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

const host = () => TemporaryHost.with({}, {});

describe('a site whose components are all in the release', () => {
  it('accepts a site whose components are all in the release', () => {
    const images = [
      imageOf('chat', 1, { optional: true }),
      imageOf('relay', 1, { optional: true }),
    ];
    const site = { components: { chat: true } };
    expect(checkComponents(contextFor(host(), { site, release: { images } }))).toEqual([]);
  });
});

describe('a site that enables a component that the release lacks', () => {
  it('reports the component and the field that enables it', () => {
    const site = { hosts: { relay: 'api.example.com' } };
    expect(checkComponents(contextFor(host(), { site }))).toEqual([
      {
        message: 'hosts.relay is api.example.com, but landfall 1.0.0 has no relay',
        hint: expect.stringContaining('Create user-data'),
      },
    ]);
  });
});

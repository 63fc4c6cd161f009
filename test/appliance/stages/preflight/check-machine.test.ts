import { describe, expect, it } from 'vitest';
import type { Server } from '../../../../appliance/server/host/server.ts';
import {
  checkComponents,
  checkMachine,
} from '../../../../appliance/stages/preflight/check-machine.ts';
import { contextFor, imageOf } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

function reasons(server: Partial<Server>): string[] {
  const context = contextFor(TemporaryHost.with({}), { server });
  return checkMachine(context.server, context.release).map(({ message }) => message);
}

describe('a supported machine', () => {
  it.each([
    ['debian', '12'],
    ['debian', '13'],
    ['ubuntu', '24.04'],
    ['ubuntu', '26.04'],
  ])('may run %s %s', (id, version) => {
    expect(reasons({ distribution: { id, version } })).toEqual([]);
  });

  it('may be a "2 GB" server, whose kernel reserves some memory', () => {
    expect(reasons({ memory: 1.95e9 })).toEqual([]);
  });
});

describe('an unsupported machine', () => {
  it.each([
    ['an older Debian', { distribution: { id: 'debian', version: '11' } }, 'debian 11'],
    ['an Ubuntu without LTS', { distribution: { id: 'ubuntu', version: '25.10' } }, '25.10'],
    ['another distribution', { distribution: { id: 'alpine', version: '3.22' } }, 'alpine 3.22'],
    ['another architecture', { arch: 'arm64' as const }, 'arm64'],
    ['an unsupported architecture', { arch: undefined }, 'wrong architecture'],
    ['1 GB of memory', { memory: 1.0e9 }, 'not enough memory: 1.0 GB'],
  ])('rejects %s as unsupported', (_what, server, message) => {
    expect(reasons(server)).toEqual([expect.stringContaining(message)]);
  });

  it('gives the reason why Ubuntu 22.04 is not supported any more', () => {
    const [reason] = reasons({ distribution: { id: 'ubuntu', version: '22.04' } });
    expect(reason).toMatch(
      /^unsupported distribution: ubuntu 22\.04; .*restic.*systemd.*April 2027/,
    );
  });

  it('says how much memory the kernel keeps for crash dumps, if that is what is missing', () => {
    expect(reasons({ memory: 1.6e9, crashMemory: 0.27e9 })).toEqual([
      'not enough memory: 1.6 GB, because the kernel reserves 270 MB for crash dumps (kdump)',
    ]);
    expect(reasons({ memory: 1.0e9, crashMemory: 0.27e9 })).toEqual(['not enough memory: 1.0 GB']);
    expect(reasons({ memory: 1.9e9, crashMemory: 0.27e9 })).toEqual([]);
  });

  it('reports an unsupported machine with all reasons at once', () => {
    const distribution = { id: 'x', version: '1' };
    expect(reasons({ memory: 1, arch: 'arm64', distribution })).toHaveLength(3);
  });
});

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

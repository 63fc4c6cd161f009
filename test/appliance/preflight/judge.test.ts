import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import type { Release } from '#contract/release.ts';
import type { Server } from '../../../appliance/host/server.ts';
import { preflight } from '../../../appliance/preflight/judge.ts';

const fit: Server = {
  distribution: { id: 'debian', version: '13' },
  codename: 'trixie',
  arch: 'amd64',
  memory: 8e9,
  cpus: 4,
  freeDisk: 40e9,
  container: undefined,
};

function release(sizes: Array<number | null>): Release {
  const digest = `sha256:${'a'.repeat(64)}`;
  return {
    schema: 1,
    product: 'landfall',
    version: '1.0.0',
    arch: 'amd64',
    kind: 'thin',
    created: '2026-01-01T00:00:00Z',
    expires: '2027-01-01T00:00:00Z',
    updatesFrom: null,
    keys: { release: ['AAAA'], recovery: null },
    images: sizes.map((size, index) => ({
      component: `c${index}`,
      reference: 'x/y:1',
      index: digest,
      manifest: digest,
      config: digest,
      size,
      optional: false,
    })),
    models: [],
    downloads: [],
    files: [],
  };
}

function reasons(server: Partial<Server>, sizes: Array<number | null> = [1e9]): string[] {
  try {
    preflight({ ...fit, ...server }, release(sizes));
    return [];
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    expect(error).toMatchObject({
      code: 'SERVER_UNFIT',
      hint: expect.stringContaining('Nothing was changed'),
    });
    return error.problems.map(({ message }) => message);
  }
}

describe('a server that fits', () => {
  it.each([
    ['debian', '12'],
    ['debian', '13'],
    ['ubuntu', '22.04'],
    ['ubuntu', '24.04'],
    ['ubuntu', '26.04'],
  ])('runs %s %s', (id, version) => {
    expect(reasons({ distribution: { id, version } })).toEqual([]);
  });

  it('may be a "2 GB" server, whose kernel keeps some for itself', () => {
    expect(reasons({ memory: 1.95e9 })).toEqual([]);
  });
});

describe('a server that does not fit', () => {
  it.each([
    ['an older Debian', { distribution: { id: 'debian', version: '11' } }, 'debian 11'],
    ['another distribution', { distribution: { id: 'alpine', version: '3.22' } }, 'alpine 3.22'],
    ['another architecture', { arch: 'arm64' as const }, 'arm64'],
    ['an architecture that nobody builds for', { arch: undefined }, 'unknown architecture'],
    ['1 GB of memory', { memory: 1.0e9 }, '1.0 GB of memory'],
    ['5 GB of disk for 1 GB of images', { freeDisk: 5e9 }, 'needs 5.6 GB'],
  ])('has %s', (_what, server, message) => {
    expect(reasons(server)).toEqual([expect.stringContaining(message)]);
  });

  it('is told all reasons at once', () => {
    expect(reasons({ memory: 1, freeDisk: 1, arch: 'arm64' })).toHaveLength(3);
  });
});

describe('a release whose sizes nobody resolved', () => {
  it('still asks for breathing space', () => {
    expect(reasons({ freeDisk: 1e9 }, [null])).toEqual([expect.stringContaining('2.0 GB')]);
  });
});

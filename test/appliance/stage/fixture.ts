import type { Release } from '#contract/release.ts';
import { siteSchema } from '#contract/site.ts';
import type { Host } from '../../../appliance/host/host.ts';
import type { Context, Stage, StageName } from '../../../appliance/stage/stage.ts';

/** The least that a site must say. */
export const smallSite = siteSchema.parse({
  release: ['https://example.com/landfall/1.0.0/'],
  admin: { user: 'ops', ssh_keys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me@laptop'] },
});

const zeros = '0'.repeat(64);

/** A release without anything in it. */
export const emptyRelease: Release = {
  schema: 1,
  product: 'landfall',
  version: '1.0.0',
  arch: 'amd64',
  kind: 'thin',
  created: '2026-01-01T00:00:00Z',
  expires: '2027-01-01T00:00:00Z',
  updatesFrom: null,
  keys: { release: ['key'], recovery: null },
  images: [],
  models: [],
  downloads: [],
  files: [{ path: 'a', size: 0, sha256: zeros, offset: 0, executable: false }],
};

/** What stages are given, with a reporter that keeps what it hears. */
export function contextFor(
  host: Host,
  overrides: Partial<Context> = {},
): Context & { readonly heard: string[] } {
  const heard: string[] = [];
  return {
    host,
    site: smallSite,
    release: emptyRelease,
    releaseFolder: '/opt/landfall/releases/1.0.0-amd64',
    server: {
      distribution: { id: 'debian', version: '13' },
      arch: 'amd64',
      memory: 4e9,
      freeDisk: 40e9,
    } as Context['server'],
    report: {
      say: (line) => heard.push(line),
      progress: () => {},
      warn: (line) => heard.push(`warning: ${line}`),
    },
    heard,
    ...overrides,
  };
}

/** A stage that does nothing and is content, but for what is given. */
export function stageCalled(name: StageName, parts: Partial<Stage> = {}): Stage {
  return {
    name,
    title: `${name}: for a test`,
    check: async () => [],
    apply: async () => {},
    prove: async () => {},
    ...parts,
  };
}

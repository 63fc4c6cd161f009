import type { Release, ReleaseImage, ReleaseModel } from '#contract/bundle/release.ts';
import { siteSchema } from '#contract/site/site.ts';
import type { Host } from '../../appliance/server/host/host.ts';
import type { Server } from '../../appliance/server/host/server.ts';
import type { BilingualWarning } from '../../appliance/server/stage/reporter.ts';
import type { Context } from '../../appliance/server/stage/stage.ts';

/** Overrides of the defaults. */
export interface Differences {
  /** Input of the site schema; missing fields get their defaults. */
  readonly site?: Readonly<Record<string, unknown>>;
  readonly server?: Partial<Server>;
  readonly release?: Partial<Release>;
}

/** A context that records reports. */
export interface TestContext extends Context {
  readonly said: string[];
  /** The texts of {@link warnings}. */
  readonly warned: string[];
  readonly warnings: BilingualWarning[];
}

/** Returns a context with a typical server, site and release. */
export function contextFor(host: Host, { site, server, release }: Differences = {}): TestContext {
  const [said, warned, warnings]: [string[], string[], BilingualWarning[]] = [[], [], []];
  return {
    host,
    server: { ...defaultServer, ...server },
    site: siteSchema.parse({ ...minimalSite, ...site }),
    release: { ...emptyRelease, ...release },
    releaseFolder: '/opt/landfall/releases/1.0.0-amd64',
    report: {
      say: (line) => said.push(line),
      waitFor: (_what, line) => said.push(line),
      progress: () => {},
      warn: (warning) => {
        warnings.push(warning);
        warned.push(warning.text.en);
      },
    },
    said,
    warned,
    warnings,
  };
}

const defaultServer: Server = {
  distribution: { id: 'debian', version: '13' },
  codename: 'trixie',
  arch: 'amd64',
  memory: 8e9,
  crashMemory: 0,
  cpus: 4,
  freeDisk: 40e9,
  container: undefined,
};

const minimalSite = {
  release: ['http://192.0.2.1/landfall/'],
  admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
};

/** A minimal site with all defaults. */
export const smallSite = siteSchema.parse(minimalSite);

/** An empty release. */
export const emptyRelease: Release = {
  schema: 1,
  product: 'landfall',
  version: '1.0.0',
  arch: 'amd64',
  kind: 'full',
  created: '2026-01-01T00:00:00Z',
  expires: '2099-01-01T00:00:00Z',
  updatesFrom: null,
  dataEpoch: 1,
  keys: { release: ['AAAA'], recovery: null },
  images: [],
  models: [],
  downloads: [],
  files: [],
};

/** Returns a model of a release with this size in bytes. */
export function modelOf(name: string, size: number | null = null): ReleaseModel {
  return { name, role: 'chat', manifest: null, size };
}

/** Returns an image of a release with this download size in bytes. */
export function imageOf(
  component: string,
  size: number | null,
  rest: Partial<ReleaseImage> = {},
): ReleaseImage {
  const digest = `sha256:${'a'.repeat(64)}`;
  return {
    component,
    reference: 'x/y:1',
    index: digest,
    manifest: digest,
    config: digest,
    size,
    optional: false,
    ...rest,
  };
}

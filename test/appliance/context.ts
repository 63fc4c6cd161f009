import type { Release, ReleaseImage, ReleaseModel } from '#contract/bundle/release.ts';
import { siteSchema } from '#contract/site/site.ts';
import type { Host } from '../../appliance/host/host.ts';
import type { Server } from '../../appliance/host/server.ts';
import type { Context } from '../../appliance/stage/stage.ts';
import type { Warning } from '../../appliance/stage/warning.ts';

/** What a test wants to be otherwise than usual. */
export interface Differences {
  /** As a person writes it: what is left out gets its default. */
  readonly site?: Readonly<Record<string, unknown>>;
  readonly server?: Partial<Server>;
  readonly release?: Partial<Release>;
}

/** A context whose reports a test can read. */
export interface TestContext extends Context {
  readonly said: string[];
  /** The texts of {@link warnings}. */
  readonly warned: string[];
  readonly warnings: Warning[];
}

/** A usual server, site and release for stages to act on a host of the tests. */
export function contextFor(host: Host, { site, server, release }: Differences = {}): TestContext {
  const [said, warned, warnings]: [string[], string[], Warning[]] = [[], [], []];
  return {
    host,
    server: { ...usualServer, ...server },
    site: siteSchema.parse({ ...smallestSite, ...site }),
    release: { ...emptyRelease, ...release },
    releaseFolder: '/opt/landfall/releases/1.0.0-amd64',
    report: {
      say: (line) => said.push(line),
      progress: () => {},
      warn: (warning) => {
        warnings.push(warning);
        warned.push(warning.text);
      },
    },
    said,
    warned,
    warnings,
  };
}

const usualServer: Server = {
  distribution: { id: 'debian', version: '13' },
  codename: 'trixie',
  arch: 'amd64',
  memory: 8e9,
  cpus: 4,
  freeDisk: 40e9,
  container: undefined,
};

const smallestSite = {
  release: ['http://192.0.2.1/landfall/'],
  admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
};

/** The least that a site must say, with every default. */
export const smallSite = siteSchema.parse(smallestSite);

/** A release without anything in it. */
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

/** A model of a release, of this many bytes. */
export function modelOf(name: string, size: number | null = null): ReleaseModel {
  return { name, role: 'chat', manifest: null, size };
}

/** An image of a release, of this many bytes to download. */
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

import { existsSync } from 'node:fs';
import type { Release } from '#contract/bundle/release.ts';
import type { Site } from '#contract/site/site.ts';
import type { Digest } from '#contract/trust/digest.ts';
import type { Host } from '../host/host.ts';
import type { Server } from '../host/server.ts';
import type { Reporter } from './reporter.ts';

/** The stages of a first boot in order. */
export const stageNames = [
  'preflight',
  'route',
  'users',
  'ssh',
  'firewall',
  'ban',
  'kernel',
  'runtime',
  'images',
  'secrets',
  'stack',
  'tls',
  'models',
  'smoke',
  'report',
] as const;
export type StageName = (typeof stageNames)[number];

/** The input of a stage. */
export interface Context {
  readonly host: Host;
  readonly server: Server & {
    /** For an engine node: its slots, and that the other components do not run (`stack/limits.ts`). */
    readonly slots?: number;
    readonly engineOnly?: boolean;
  };
  readonly site: Site;
  readonly release: Release;
  /** Unknown fields of the release manifest. */
  readonly ignoredFields?: readonly string[];
  /** Absolute path of the folder of the verified, unpacked release. */
  readonly releaseFolder: string;
  readonly report: Reporter;
  /** Adds blobs of the release to its folder; undefined if there is no bundle to take them from. */
  readonly fetchBlobs?: (blobs: readonly Digest[]) => Promise<void>;
}

/**
 * One idempotent step of the setup. The runner calls {@link check}, then {@link apply} if something is
 * missing, and always {@link prove}.
 */
export interface Stage {
  readonly name: StageName;
  /** Short description for users: `firewall: only the ports of the site are open`. */
  readonly title: string;
  /**
   * Returns what {@link apply} would do, one line per action; empty if there is nothing to do.
   * Read-only. `landfall plan` prints the lines.
   */
  check(context: Context): Promise<readonly string[]>;
  /** Applies the changes. If interrupted at any point, it runs again from the beginning. */
  apply(context: Context): Promise<void>;
  /** Verifies the result from the user's point of view. @throws LandfallError if it is wrong */
  prove(context: Context): Promise<void>;
}

/** They need no network on a server with sudo. */
const beforeProxies: readonly StageName[] = ['preflight', 'users', 'ssh'];

/**
 * Returns the stages in the order for a server. With a proxy client, the route may wait for days until
 * proxies are imported, so the account of the administrator comes before it. Without sudo, it comes
 * after it: only the archive has sudo, and without it the administrator could not become root.
 */
export function stageOrder({ host, site }: Pick<Context, 'host' | 'site'>): readonly StageName[] {
  const hasSudo = existsSync(host.path('usr/bin/sudo'));
  if (site.route.mode !== 'client' || !hasSudo) return stageNames;
  return [...beforeProxies, ...stageNames.filter((name) => !beforeProxies.includes(name))];
}

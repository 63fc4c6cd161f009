import type { Release } from '#contract/bundle/release.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import type { Server } from '../host/server.ts';
import type { Reporter } from './reporter.ts';

/** The stages of a first boot, in their order. */
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

/** What every stage is given. */
export interface Context {
  readonly host: Host;
  readonly server: Server;
  readonly site: Site;
  readonly release: Release;
  /** Fields of its manifest that this program does not know. */
  readonly ignoredFields?: readonly string[];
  /** Absolute path of the folder of the verified, unpacked release. */
  readonly releaseFolder: string;
  readonly report: Reporter;
}

/**
 * One idempotent step of bringing a server up. The runner asks {@link check} first, applies only
 * what is missing, and believes only {@link prove}.
 */
export interface Stage {
  readonly name: StageName;
  /** What it does, for people, in a few words: `firewall: only SSH, HTTP and HTTPS`. */
  readonly title: string;
  /**
   * What {@link apply} would do now, one sentence each; nothing when all is as it should be.
   * Changes nothing: `landfall plan` prints this.
   */
  check(context: Context): Promise<readonly string[]>;
  /** Does it. May be interrupted at any point and is then run again from its beginning. */
  apply(context: Context): Promise<void>;
  /** Looks at the result from where it matters. @throws LandfallError when it does not hold */
  prove(context: Context): Promise<void>;
}

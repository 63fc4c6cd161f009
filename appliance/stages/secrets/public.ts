import type { Site } from '#contract/site/site.ts';
import type { Host } from '../../server/host/host.ts';

/** A secret that the administrator needs, as `landfall credentials` shows it. */
export interface Credential {
  /** What it is for: `Chat UI, administrator`. */
  readonly title: string;
  /** Name of its file in the secrets folder. */
  readonly name: string;
  readonly value: string;
  /** The login name that belongs to it: `ops@localhost`. */
  readonly login?: string;
  /** A remark for the administrator, as a sentence. */
  readonly note?: string;
}

/** Returns the secrets of one subsystem that the administrator needs. */
export type CredentialSource = (host: Host, site: Site) => Promise<readonly Credential[]>;

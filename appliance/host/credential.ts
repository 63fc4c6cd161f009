import type { Site } from '#contract/site/site.ts';
import type { Host } from './host.ts';

/** Something secret that the owner needs to know, as `landfall credentials` shows it. */
export interface Credential {
  /** What it is for: `Chat UI, administrator`. */
  readonly title: string;
  /** The name of its file among the secrets. */
  readonly name: string;
  readonly value: string;
  /** What a person should know of it, as a sentence. */
  readonly note?: string;
}

/** Each part of the server that makes secrets gives those of them that people need. */
export type CredentialSource = (host: Host, site: Site) => Promise<readonly Credential[]>;

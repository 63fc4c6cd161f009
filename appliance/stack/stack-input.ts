import type { Site } from '#contract/site/site.ts';
import type { ServerSize } from './limits.ts';
import type { LocalModels } from './local-models.ts';

/** Everything that the files of a stack depend on. */
export interface StackInput {
  readonly site: Site;
  /** By the names of `secret-names.ts`. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly server: ServerSize & {
    /** The addresses under which browsers reach this server, where they are known. */
    readonly addresses?: readonly string[];
    readonly gpu?: 'none' | 'nvidia';
    /** Whether it is reached over IPv6. */
    readonly ipv6?: boolean;
    /** Whether its Docker knows `start_interval` of health checks. */
    readonly startInterval?: boolean;
  };
  /** The models that the server is to have; none where that does not matter. */
  readonly models?: LocalModels;
  /** The release's version: the tag of every image. */
  readonly release: string;
  /** Whether browsers trust the certificate that is there now: only then is HSTS sent. */
  readonly trustedCertificate?: boolean;
}

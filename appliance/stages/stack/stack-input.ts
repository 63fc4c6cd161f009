import type { ReleaseModel } from '#contract/bundle/release.ts';
import type { TaggedImage } from '#contract/bundle/release-name.ts';
import type { Site } from '#contract/site/site.ts';
import type { ServerSize } from '#contract/sizes/limits.ts';
import type { LocalModels } from '#contract/sizes/local-models.ts';
import type { ProviderModels } from './provider-models.ts';

/**
 * `none`: the kernel has no IPv6. `local`: it has, but the server has no address that others reach. `only`: the
 * server has no IPv4 address.
 */
export type Ipv6 = 'none' | 'local' | 'reachable' | 'only';

/** All inputs of the rendered files. */
export interface StackInput {
  readonly site: Site;
  /** Keys are the names in `secret-names.ts`. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly server: ServerSize & {
    /** Addresses under which browsers reach this server, if known. */
    readonly addresses?: readonly string[];
    readonly gpu?: 'none' | 'nvidia';
    readonly ipv6?: Ipv6;
    /** Whether it is an engine node whose Ollama is a service of a Swarm. */
    readonly joined?: boolean;
    /** Whether its Docker supports `start_interval` of health checks. */
    readonly startInterval?: boolean;
  };
  /** The models of the server; undefined if irrelevant. */
  readonly models?: LocalModels;
  /** All models of the release, whose digests other servers must have. */
  readonly releaseModels?: readonly ReleaseModel[];
  /** The models that hosted providers listed, by the provider's name in the site. */
  readonly providerModels?: ProviderModels;
  /** Version of the release, which an engine node tells its first server. */
  readonly version?: string;
  /** All images of the release; `.env` has the tag of each. */
  readonly images: readonly TaggedImage[];
  /** The gateway's nginx.conf of the release; undefined for a custom stack without it. */
  readonly gatewayConfiguration?: string | undefined;
  /** Whether browsers trust the current certificate. HSTS is sent only then. */
  readonly trustedCertificate?: boolean;
  /**
   * The pass of an update that has closed the server: the gateway serves the chat UI only to requests
   * with it. Undefined: the server is open.
   */
  readonly pass?: string | undefined;
  /** Name of the Compose project, which names networks and volumes. Undefined: that of servers. */
  readonly project?: string;
}

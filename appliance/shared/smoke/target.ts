import type { ModelRole } from '#contract/bundle/release.ts';
import type { Site } from '#contract/site/site.ts';

/** A server under test, as seen from where the tests run. */
export interface SmokeTarget {
  readonly site: Site;
  /** Address of the gateway: loopback on the server, the public address elsewhere. */
  readonly gateway: string;
  /** Ports at that address, if they differ from those of the site. */
  readonly gatewayPorts?: GatewayPorts;
  /** Pass of a gateway that is closed for an update. */
  readonly pass?: string;
  /** Host in URLs of a site without host names: the server's address. */
  readonly bareHost: string;
  /** What is reachable on the server only. Undefined when tests run elsewhere. */
  readonly inside?: Inside;
}

/** Ports of a gateway by scheme, whatever the port of the URL. */
export interface GatewayPorts {
  readonly http: number;
  readonly https: number;
}

/** A model of the release that the server should have. */
export interface LockedModel {
  /** Short form, as Ollama lists it. */
  readonly name: string;
  /** `sha256:…` of its manifest; null when the release does not pin it. */
  readonly digest: string | null;
  /** Default: chat. */
  readonly role?: ModelRole;
}

export interface Inside {
  /** Base URL such as `http://10.213.0.3:11434`; undefined while Ollama is not running. */
  readonly engine: string | undefined;
  /** Models that Ollama should have; undefined if unknown. */
  readonly models?: readonly LockedModel[];
  /**
   * Asks the other servers of `engines` for their models. By name; undefined for one that does not
   * answer.
   */
  readonly modelsOfNodes?: () => Promise<ReadonlyMap<string, readonly string[] | undefined>>;
  /** Returns why no server can answer the chat yet, if so: the site leaves that to nodes, and none has joined. */
  readonly whyNoServer?: () => Promise<string | undefined>;
  /** Why the server has no local chat model, if so. */
  readonly hostedOnly?: string | undefined;
  /** Host and port of the proxy. */
  readonly proxy: { readonly host: string; readonly port: number };
  readonly secrets: Readonly<Record<string, string>>;
  /** Credentials of the chat UI's administrator. */
  readonly administrator: { readonly email: string; readonly password: string };
  /** Makes a session of an administrator without the password, who may have changed it. */
  readonly session?: () => Promise<string | undefined>;
}

import type { ModelRole } from '#contract/bundle/release.ts';
import type { Site } from '#contract/site/site.ts';

/** What smoke tests are run against: a server as it is seen from somewhere. */
export interface Target {
  readonly site: Site;
  /** Where the gateway listens: loopback on the server, the public address from a laptop. */
  readonly gateway: string;
  /** What browsers ask for where the site has no host name: the server's address. */
  readonly bareHost: string;
  /** What only the server itself reaches. Nothing when tests run from elsewhere. */
  readonly inside?: Inside;
}

/** A model of the release that the server is to have. */
export interface LockedModel {
  /** In its shortest form, as the engine lists it. */
  readonly name: string;
  /** `sha256:…` of its manifest; null where the release left that open. */
  readonly digest: string | null;
  /** Absent: chat. */
  readonly role?: ModelRole;
}

export interface Inside {
  /** Base such as `http://10.213.0.3:11434`; nothing where the engine does not run. */
  readonly engine: string | undefined;
  /** What the engine is to have; nothing where nobody knows. */
  readonly models?: readonly LockedModel[];
  /** Why no local model is to answer, where that is so. */
  readonly hostedOnly?: string | undefined;
  /** Host and port of the proxy. */
  readonly proxy: { readonly host: string; readonly port: number };
  readonly secrets: Readonly<Record<string, string>>;
  /** What the chat UI's administrator signs in with. */
  readonly administrator: { readonly email: string; readonly password: string };
}

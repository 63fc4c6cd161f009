import type { Text } from './text/language.ts';

/** The properties of a component of the stack. An entry of {@link components}. */
export interface Component {
  /** Name of the program, for people. */
  readonly product: string;
  /** Title in the report. The report does not list a component without one. */
  readonly title?: Text;
  /**
   * When it runs. `when-selected`: the site sets `components.<name>`. `when-needed`: another
   * setting needs it (`site/enabled.ts`). `on-timer`: a timer starts it, and it exits when it has
   * finished.
   */
  readonly runs: 'always' | 'when-selected' | 'when-needed' | 'on-timer';
  /** Whether an engine node runs it: a server with Ollama for another server. */
  readonly onEngineNodes?: true;
  /** Set for a component without a container: the one that serves it. */
  readonly servedBy?: 'gateway';
  /** One sentence about its upkeep, for a site that turns it on. */
  readonly upkeep?: Text;
  /** Default port on the loopback address of the server, for SSH tunnels. A site may change it. */
  readonly port?: number;
  /** Port inside the container, which other components and the gateway use; that of `servedBy`. */
  readonly containerPort?: number;
  /** Ports that it publishes to the internet. A site may move or close them (`site/network/public-ports.ts`). */
  readonly publicPorts?: { readonly http: number; readonly https: number };
  /** Whether the gateway serves it under a host name of its own. */
  readonly hasHostName?: true;
  /** Path of its API, for the report. Default: `/`. */
  readonly path?: string;
  /** Set for a page that users open in a browser. */
  readonly page?: {
    /** Heading in the documentation of the server, in English and Chinese. */
    readonly heading: { readonly en: string; readonly zh: string };
    /** How users sign in. */
    readonly access: 'account' | 'access-code';
  };
  /** When it has a relay key: always, or only while the site has providers. */
  readonly usesRelay?: 'always' | 'with-providers';
  /** Secrets that the server generates for it. */
  readonly secrets?: readonly ComponentSecret[];
  /** User and group ID in its container. Default: root. */
  readonly user?: number;
  /** What users notice while it does not run. Default: it is interrupted. */
  readonly interruption?: { readonly en: string; readonly zh: string };
  /** Set if Docker keeps no log of it. */
  readonly logging?: 'none';
  /** Set if the builder adds a program of Landfall to the image. */
  readonly program?: true;
  /** Resource limits of its container. Absent for a component without a container. */
  readonly limits?: ComponentLimits;
}

/** A secret of a component, which the server generates and stores in a file. */
export interface ComponentSecret {
  /** Name of the file and of the variable. */
  readonly name: string;
  readonly kind: 'key' | 'password' | 'username';
  /** Title in `landfall credentials`. A secret without one is not shown. */
  readonly title?: string;
}

/** Limits of a container. They are ceilings, not shares. */
export interface ComponentLimits {
  /** MiB. `rest`: the memory that the host and the other components do not use. */
  readonly memory: number | 'rest';
  /** MiB on a server with less than 3 GiB. */
  readonly memoryOnSmallServer?: number;
  /** `rest`: all but one, or all on a server with two. */
  readonly cpus: number | 'rest';
  /** Maximum number of processes and threads. */
  readonly pids: number;
}

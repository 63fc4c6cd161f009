import type { Program } from '../config/appliance-schema.ts';

/** How an image runs one of our programs (OCI image-spec, "config"; `Healthcheck` is Docker's). */
export interface Recipe {
  /** The source of the program, from the root of the project. */
  readonly entryPoint: string;
  /** Where the program lies, without a leading slash. */
  readonly path: string;
  readonly config: {
    readonly User: string;
    readonly WorkingDir: string;
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
    readonly ExposedPorts: Readonly<Record<string, object>>;
    readonly Healthcheck: object;
    readonly StopSignal: string;
  };
  /** Added to the variables of the base. */
  readonly env: readonly string[];
}

const second = 1_000_000_000;

/** One recipe a program. */
export const recipes: Readonly<Record<Program, Recipe>> = {
  relay: {
    entryPoint: 'appliance/relay/node/main.ts',
    path: 'opt/landfall/relay.mjs',
    config: {
      // A number, so that nothing has to be in the base's list of users.
      User: '65532:65532',
      WorkingDir: '/',
      Entrypoint: ['node', '/opt/landfall/relay.mjs'],
      Cmd: [],
      ExposedPorts: { '8080/tcp': {} },
      Healthcheck: {
        Test: ['CMD', 'node', '/opt/landfall/relay.mjs', 'health'],
        Interval: 30 * second,
        Timeout: 5 * second,
        StartPeriod: 10 * second,
      },
      StopSignal: 'SIGTERM',
    },
    // Memory that a stream does not need is given back early.
    env: ['NODE_ENV=production', 'NODE_OPTIONS=--max-old-space-size=96 --max-semi-space-size=2'],
  },
};

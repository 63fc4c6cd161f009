import type { Program } from '../../inputs/config/appliance-schema.ts';

/** How an image runs a program of Landfall (OCI image-spec, "config"; `Healthcheck` is Docker's). */
export interface Recipe {
  /** Source file of the program, relative to the root of the project. */
  readonly entryPoint: string;
  /** Path of the program in the image, without a leading slash. */
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
  /** Added to the environment of the base. */
  readonly env: readonly string[];
}

const second = 1_000_000_000;

/** One recipe per program. */
export const recipes: Readonly<Record<Program, Recipe>> = {
  relay: {
    entryPoint: 'appliance/relay/node/main.ts',
    path: 'opt/landfall/relay.mjs',
    config: {
      // A numeric user works even if the base's /etc/passwd does not list it.
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
    // Small heaps return the memory of finished streams early.
    env: ['NODE_ENV=production', 'NODE_OPTIONS=--max-old-space-size=96 --max-semi-space-size=2'],
  },
};

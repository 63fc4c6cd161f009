import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Problem } from '#contract/errors.ts';
import { bundledEntryPoints } from '../../../builder/bundle/archive/program.ts';
import type { Ran } from '../machine/exec.ts';
import type { FastHost } from '../machine/fast-host.ts';

/** Result of one action on a server. */
export interface StageResult {
  /** Planned changes, or confirmed ones. */
  readonly lines: readonly string[];
  readonly said: readonly string[];
  readonly warned: readonly string[];
  readonly error?: { code: string; message: string; problems: readonly Problem[] };
}

const folder = '/opt/stage-runner';

/** What the runner needs of a server; a virtual machine has it too. */
export type StageHost = Pick<FastHost, 'put'> & {
  run(command: string): Promise<Ran>;
  output(command: string): Promise<string>;
};

/** Runs single stages on a server without a release, so without waiting for all other stages. */
export class StageRunner {
  /** Start of a command line; followed by an action and its argument. */
  static readonly command = `${folder}/node ${folder}/program.mjs`;
  readonly #host: StageHost;

  private constructor(host: StageHost) {
    this.#host = host;
  }

  /**
   * Copies the program and a Node to the server.
   * @param site overrides of the smallest site
   * @param dockerKey key that the program trusts for Docker's packages; default: Docker's own
   */
  static async install(host: StageHost, site: object, dockerKey?: string): Promise<StageRunner> {
    await host.output(`mkdir -p ${folder}`);
    await host.put(`${folder}/node`, await readFile(process.execPath), '0755');
    await host.put(`${folder}/program.mjs`, await bundled(dockerKey));
    const runner = new StageRunner(host);
    await runner.give({ site });
    return runner;
  }

  /** Sets another site, and a release that overrides fields of an empty one. */
  async give({ site, release = {} }: { site: object; release?: object }): Promise<void> {
    await this.#host.put(`${folder}/site.json`, JSON.stringify(site));
    await this.#host.put(`${folder}/release.json`, JSON.stringify(release));
  }

  /** Connects the server to the first server of a Swarm over WireGuard, with what a token contains. */
  async connect(token: object): Promise<StageResult> {
    await this.#host.put(`${folder}/token.json`, JSON.stringify(token));
    return await this.run('connect');
  }

  /**
   * Checks, applies (one or several, separated by commas) or verifies a stage; see `program.ts` for
   * the other actions.
   */
  async run(action: string, argument: string | number = ''): Promise<StageResult> {
    const { stdout, stderr } = await this.#host.run(`${StageRunner.command} ${action} ${argument}`);
    if (stdout === '') throw new Error(`${action} ${argument} ended without output: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** Applies a stage and kills the program with all child processes after a number of seconds. */
  async kill(stage: string, seconds: number): Promise<void> {
    const limits = `-p RuntimeMaxSec=${seconds * 1000}ms -p KillSignal=SIGKILL`;
    const unit = `systemd-run --quiet --wait --collect ${limits}`;
    await this.#host.run(`${unit} ${StageRunner.command} apply ${stage}`);
  }
}

async function bundled(dockerKey?: string): Promise<Buffer> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('program.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    target: 'node24',
    alias: bundledEntryPoints,
    plugins: dockerKey === undefined ? [] : [withDockerKey(dockerKey)],
    format: 'esm',
    write: false,
    logLevel: 'silent',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return Buffer.from(outputFiles[0]?.contents ?? []);
}

function withDockerKey(key: string): Plugin {
  const contents = `export const dockerKey = ${JSON.stringify(key)};`;
  return {
    name: 'docker-key',
    setup: ({ onLoad }) => onLoad({ filter: /\/runtime\/docker-key\.ts$/ }, () => ({ contents })),
  };
}

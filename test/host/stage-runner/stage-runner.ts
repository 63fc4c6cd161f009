import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Problem } from '#contract/errors.ts';
import type { FastHost } from '../fast-host.ts';

/** What came of one thing that was done on a server. */
export interface StageResult {
  /** What is to be done, or what was confirmed. */
  readonly lines: readonly string[];
  readonly said: readonly string[];
  readonly warned: readonly string[];
  readonly error?: { code: string; message: string; problems: readonly Problem[] };
}

const folder = '/opt/stage-runner';

/** Runs stages one by one on a server that has no release, so without waiting for all the others. */
export class StageRunner {
  /** The beginning of a command line; the rest is an action and its argument. */
  static readonly command = `${folder}/node ${folder}/program.mjs`;
  readonly #host: FastHost;

  private constructor(host: FastHost) {
    this.#host = host;
  }

  /** Puts the program and a Node on the server. @param site what differs from the smallest site */
  static async install(host: FastHost, site: object): Promise<StageRunner> {
    await host.output(`mkdir -p ${folder}`);
    await host.put(`${folder}/node`, await readFile(process.execPath), '0755');
    await host.put(`${folder}/program.mjs`, await bundled());
    const runner = new StageRunner(host);
    await runner.give({ site });
    return runner;
  }

  /** Gives it another site, and a release that differs from one without anything in it. */
  async give({ site, release = {} }: { site: object; release?: object }): Promise<void> {
    await this.#host.put(`${folder}/site.json`, JSON.stringify(site));
    await this.#host.put(`${folder}/release.json`, JSON.stringify(release));
  }

  /** Checks, applies (one or several, with commas) or proves a stage; see `program.ts` for what else it can do. */
  async run(action: string, argument: string | number = ''): Promise<StageResult> {
    const { stdout, stderr } = await this.#host.run(`${StageRunner.command} ${action} ${argument}`);
    if (stdout === '') throw new Error(`${action} ${argument} ended without a word: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** Applies a stage and kills the program after so many seconds, with all that it has started. */
  async kill(stage: string, seconds: number): Promise<void> {
    const limits = `-p RuntimeMaxSec=${seconds * 1000}ms -p KillSignal=SIGKILL`;
    const unit = `systemd-run --quiet --wait --collect ${limits}`;
    await this.#host.run(`${unit} ${StageRunner.command} apply ${stage}`);
  }
}

async function bundled(): Promise<Buffer> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('program.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    write: false,
    logLevel: 'silent',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return Buffer.from(outputFiles[0]?.contents ?? []);
}

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** What a run of the Action left behind. */
export interface ActionRun {
  readonly exitCode: number | undefined;
  /** The log, in which the runner finds commands such as `::error::`. */
  readonly log: string;
  /** Values by name of the output. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** A checkout of the Action with programs of the test, and the environment of a runner. */
export class ActionCheckout {
  readonly #folder: string;
  readonly workspace: string;

  private constructor(folder: string, workspace: string) {
    this.#folder = folder;
    this.workspace = workspace;
  }

  /**
   * Creates a checkout with the committed program of the Action. Its installation does nothing.
   * @param workspace folder that the runner starts the Action in
   */
  static async create(folder: string, workspace: string): Promise<ActionCheckout> {
    const checkout = new ActionCheckout(folder, workspace);
    const program = 'builder/publish/action/index.mjs';
    await mkdir(join(folder, 'builder/publish/action'), { recursive: true });
    await copyFile(join(root, program), join(folder, program));
    await checkout.write('builder/bin/install.mjs', '');
    return checkout;
  }

  /** Writes a program of the checkout. */
  async write(path: string, text: string): Promise<void> {
    const target = join(this.#folder, path);
    await mkdir(join(target, '..'), { recursive: true });
    await writeFile(target, text);
  }

  /** Writes a builder that is the one of this project. */
  async useRealBuilder(): Promise<void> {
    const cli = JSON.stringify(join(root, 'builder/bin/cli.ts'));
    await this.write('builder/bin/landfall.mjs', `await import(${cli});\n`);
  }

  /** Runs the Action with inputs by name, as a runner does. */
  async run(
    inputs: Readonly<Record<string, string>>,
    env: NodeJS.ProcessEnv = {},
  ): Promise<ActionRun> {
    const files = { output: join(this.#folder, 'output'), summary: join(this.#folder, 'summary') };
    for (const file of Object.values(files)) await writeFile(file, '');
    const named = Object.entries(inputs).map(([name, value]) => [
      `INPUT_${name.toUpperCase()}`,
      value,
    ]);
    const { exitCode, stdout } = await execa(
      process.execPath,
      [join(this.#folder, 'builder/publish/action/index.mjs')],
      {
        cwd: this.workspace,
        extendEnv: false,
        reject: false,
        env: {
          PATH: process.env.PATH,
          GITHUB_WORKSPACE: this.workspace,
          GITHUB_OUTPUT: files.output,
          GITHUB_STEP_SUMMARY: files.summary,
          ...Object.fromEntries(named),
          ...env,
        },
      },
    );
    const outputs = outputsIn(await readFile(files.output, 'utf8'));
    return { exitCode, log: stdout, outputs, summary: await readFile(files.summary, 'utf8') };
  }
}

/** Parses the file of outputs: `name<<delimiter`, the lines of the value, the delimiter. */
function outputsIn(text: string): Record<string, string> {
  const entries = text.matchAll(/^([\w-]+)<<(ghadelimiter_\S+)\n([\s\S]*?)\n\2$/gm);
  return Object.fromEntries([...entries].map(([, name = '', , value = '']) => [name, value]));
}

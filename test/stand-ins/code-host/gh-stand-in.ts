import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A release of the stand-in. */
interface HostedRelease {
  readonly tag: string;
  readonly title: string;
  readonly target: string;
  notes: string;
  isDraft: boolean;
  isLatest: boolean | null;
}

interface WorkflowRun {
  readonly workflow: string;
  readonly ref: string;
  readonly inputs: readonly string[];
}

/** What the program `gh.ts` keeps from one run to the next. */
export interface HostedState {
  readonly releases: HostedRelease[];
  /** Workflows that were started, and open issues. */
  readonly runs: WorkflowRun[];
  readonly issues: { readonly title: string; readonly body: string }[];
  /** Names of all files that were sent. */
  readonly uploads: string[];
  /** Number of uploads that fail after the file is stored. */
  failures: number;
  /** Whether other bytes are stored. */
  damaged: boolean;
}

const program = fileURLToPath(new URL('gh.ts', import.meta.url));

/** A folder with a stand-in for `gh` and its releases. The program is first in the PATH of `env`. */
export class GhStandIn {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(folder: string): Promise<GhStandIn> {
    const standIn = new GhStandIn(folder);
    await mkdir(join(folder, 'bin'), { recursive: true });
    const script = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`;
    await writeFile(join(folder, 'bin/gh'), script, { mode: 0o755 });
    await standIn.#write({
      ...{ releases: [], runs: [], issues: [], uploads: [] },
      ...{ failures: 0, damaged: false },
    });
    return standIn;
  }

  /** Variables of a workflow, without a token. */
  get env(): NodeJS.ProcessEnv {
    return {
      PATH: `${join(this.#folder, 'bin')}:${process.env.PATH}`,
      GH_STAND_IN: this.#folder,
      GITHUB_REPOSITORY: 'team/landfall',
    };
  }

  async state(): Promise<HostedState> {
    return JSON.parse(await readFile(join(this.#folder, 'state.json'), 'utf8')) as HostedState;
  }

  /** Adds a release as another program would, and changes how the stand-in behaves. */
  async add(tag: string, isDraft: boolean, behavior: Partial<HostedState> = {}): Promise<void> {
    const { releases, ...others } = await this.state();
    const release = { tag, title: tag, target: '', notes: '', isDraft, isLatest: null };
    await this.#write({ ...others, ...behavior, releases: [...releases, release] });
    await mkdir(join(this.#folder, tag), { recursive: true });
  }

  /** Stores a file of a release. */
  async put(tag: string, name: string, text: string): Promise<void> {
    await writeFile(join(this.#folder, tag, name), text);
  }

  /** Returns the files of a release by name. */
  async files(tag: string): Promise<Record<string, string>> {
    const names = (await readdir(join(this.#folder, tag))).sort();
    const read = (name: string) => readFile(join(this.#folder, tag, name), 'utf8');
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await read(name)])),
    );
  }

  async #write(state: HostedState): Promise<void> {
    await writeFile(join(this.#folder, 'state.json'), JSON.stringify(state));
  }
}

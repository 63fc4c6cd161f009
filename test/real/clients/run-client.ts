import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { defaultRoots, findClient } from '#clients/clients.ts';
import { clientJson } from '../../../appliance/commands/relay/describe-client.ts';
import { runInOwnNetwork } from './own-network.ts';
import { provideClient } from './packages.ts';
import { oldWord, type Program } from './programs.ts';
import { models } from './provider/scripted-provider.ts';

export interface Finished {
  /** Everything that it printed, with single spaces. */
  readonly output: string;
  /** The text of the file that the client may edit. */
  readonly file: string;
}

interface Run {
  /** The origin of the relay. */
  readonly origin: string;
  readonly key: string;
  readonly prompt: string;
  /** Instead of that of the program. */
  readonly command?: Program['command'];
  /** Called with the path of the file before the client starts. */
  readonly before?: (file: string) => void | Promise<void>;
}

/** The context of the local model. Tokens. */
export const localContext = 40_960;

/**
 * Runs a client in a new home and a new project, with exactly what `landfall relay client` prints. Only the last
 * command gets the prompt, and the flags without which it would ask a person. It reaches the relay only.
 */
export async function runClient(program: Program, run: Run): Promise<Finished> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-client-'));
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  const file = join(project, 'notes.txt');
  try {
    await mkdir(home);
    await mkdir(project);
    await writeFile(file, `${oldWord}\n`);
    const variables = await provideClient(program.client);
    const env = { ...variables, ...program.variables, HOME: home, TERM: 'dumb', LANG: 'C.UTF-8' };
    const { lines, files } = settingsOf(program, run);
    const { hostname: address, port } = new URL(run.origin);
    const shell = (text: string, more: Readonly<Record<string, string>> = {}) =>
      runInOwnNetwork(
        { text, cwd: project, env: { ...env, ...more }, input: program.input?.(run.key) ?? '' },
        { address, port: Number(port) },
      );
    for (const [name, text] of files) {
      const { stdout } = await shell(`echo "${name}"`);
      const path = resolve(project, stdout);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    await run.before?.(file);
    const { all } = await shell(lines, { PROMPT: run.prompt });
    // aider wraps lines.
    const output = all.replaceAll(/\s+/g, ' ');
    return { output, file: await readFile(file, 'utf8') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Part {
  readonly file: string | null;
  readonly text: string;
}

/** Returns the files and the lines of a shell that the command prints. */
function settingsOf({ client: id, api, isLocal = false, command }: Program, run: Run) {
  const client = findClient(id);
  const variant = client.variants.find((each) => each.api === api);
  const roots = defaultRoots(run.origin);
  // OpenAI's clients find a local model by its name.
  const root = isLocal && api !== 'openai' ? roots.ollama : roots[api];
  const { parts } = JSON.parse(
    clientJson({
      ...{ client, api, keyName: id, key: run.key, base: `${root}${variant?.suffix}` },
      ...{ model: isLocal ? models.local : models[api], tunnel: undefined, warnings: [] },
      ...(isLocal && { context: localContext }),
    }),
  ) as { parts: Part[] };
  const shown =
    parts
      .filter(({ file }) => file === null)
      .at(0)
      ?.text.split('\n') ?? [];
  const last = (run.command ?? command)(shown.at(-1) ?? '');
  return {
    lines: ['set -e', ...shown.slice(0, -1), last].join('\n'),
    files: parts.flatMap(({ file, text }) =>
      file === null ? [] : [[pathOf(file), text] as const],
    ),
  };
}

/** Returns the path of a file as a text of the shell: the table says it in words. */
function pathOf(file: string): string {
  const [, name = '', folder] =
    /^(\S+?)(?: of the project|, in the folder of (.*))?$/.exec(file) ?? [];
  if (folder !== undefined) return `$(${folder})/${name}`;
  return name.replace('~', '$HOME');
}

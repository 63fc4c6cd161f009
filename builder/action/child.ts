import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';

/** A program of the Action's checkout. */
interface Child {
  /** Path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  /** Secrets of the environment that the program gets; it gets no other of {@link secretNames}. */
  readonly secrets: readonly string[];
}

/** Environment variables that only the programs that need them get. */
export const secretNames = ['RELEASE_KEY', 'LANDFALL_KEY_PASSPHRASE', 'GITHUB_TOKEN'] as const;

/** Result of a program: its exit code and its standard output. */
interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
}

/**
 * Runs a program of the checkout without a shell and returns its output. Its standard error goes to
 * the log, where the runner executes no command of it.
 * @throws Error when it cannot be started
 */
export async function runChild({ program, args, secrets }: Child): Promise<Finished> {
  const token = randomUUID();
  // The runner also reads commands such as ::add-mask:: from the output of child processes.
  process.stdout.write(`::stop-commands::${token}\n`);
  try {
    const child = spawn(process.execPath, [program, ...args], {
      env: environmentWith(secrets),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // On the stream of the tokens: the runner reads two streams in no fixed order.
    child.stderr.pipe(process.stdout, { end: false });
    const [exitCode, stdout] = await Promise.all([
      new Promise<number>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code) => resolve(code ?? 1));
      }),
      text(child.stdout),
    ]);
    return { exitCode, stdout };
  } finally {
    process.stdout.write(`::${token}::\n`);
  }
}

/** Returns the environment without inputs, and without secrets except the named ones. */
function environmentWith(secrets: readonly string[]): NodeJS.ProcessEnv {
  const hidden = secretNames.filter((name) => !secrets.includes(name));
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith('INPUT_') && !hidden.some((each) => each === name),
    ),
  );
}

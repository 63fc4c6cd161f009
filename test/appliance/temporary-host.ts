import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { Host } from '../../appliance/server/host/host.ts';
import type { CommandOptions, RunCommand } from '../../appliance/server/host/run/command.ts';
import { afterThisFile, afterThisTest } from '../setup/cleanup.ts';

/** The result of a command: its output or its exit code. */
export type Answer = string | number | { readonly code: number; readonly stdout: string };

/** Results by command prefix; the longest match applies. */
export type Answers = Record<string, Answer | ((line: string) => Answer)>;

/**
 * A host in a temporary folder: files are real, commands are recorded and return declared results.
 * An undeclared command fails the test.
 */
export class TemporaryHost extends Host {
  readonly ran: string[];
  readonly inputs: string[];

  private constructor(root: string, answers: Answers, ran: string[], inputs: string[]) {
    super(
      root,
      recording(answers, ran, inputs, () => secretsIn(root)),
    );
    this.ran = ran;
    this.inputs = inputs;
  }

  /** Creates a host with these files, by path from the root. The folder is deleted after the tests. */
  static with(files: Readonly<Record<string, string>>, answers: Answers = {}): TemporaryHost {
    const root = mkdtempSync(join(tmpdir(), 'landfall-host-'));
    afterThisFile(() => rmSync(root, { recursive: true, force: true }));
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    return new TemporaryHost(root, answers, [], []);
  }
}

/** Not a LandfallError, so that product code does not treat it as a failed command. */
function unknownCommand(line: string): Error {
  return new Error(`the test declares no answer for this command: ${line}`);
}

/** Folders whose files are secrets: every process can read the arguments of another one. */
const secretFolders = ['etc/landfall/secrets', 'etc/landfall/backup', 'etc/landfall/access'];
/** Shorter values of tests are also words of commands. Characters. */
const minSecret = 8;

/** Returns the secrets of a server. */
function secretsIn(root: string): string[] {
  return secretFolders
    .flatMap((folder) => filesIn(join(root, folder)))
    .map((path) => readFileSync(path, 'utf8').trim())
    .filter((value) => value.length >= minSecret);
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(folder, entry.name));
}

function recording(
  answers: Answers,
  ran: string[],
  inputs: string[],
  secrets: () => string[],
): RunCommand {
  return async (file, args, options: CommandOptions = {}) => {
    const line = [file, ...args].join(' ');
    const shown = secrets().find((secret) => line.includes(secret));
    if (shown !== undefined) {
      const error = new Error(`an argument has the secret ${shown}: ${line}`);
      afterThisTest(() => {
        throw error;
      });
      throw error;
    }
    ran.push(line);
    if (options.input !== undefined) inputs.push(options.input);
    const [key] = Object.keys(answers)
      .filter((start) => line.startsWith(start))
      .sort((a, b) => b.length - a.length);
    const given = key === undefined ? undefined : answers[key];
    const answer = typeof given === 'function' ? given(line) : given;
    if (answer === undefined) {
      const error = unknownCommand(line);
      // Product code may catch the error, so the test also fails at its end.
      afterThisTest(() => {
        throw error;
      });
      throw error;
    }
    const { code, stdout } = resultOf(answer);
    if (code === 0 || options.accept?.includes(code)) return { code, stdout, stderr: '' };
    throw new LandfallError('COMMAND_FAILED', `${line} exited with code ${code}`);
  };
}

function resultOf(answer: Answer): { code: number; stdout: string } {
  if (typeof answer === 'string') return { code: 0, stdout: answer };
  return typeof answer === 'number' ? { code: answer, stdout: '' } : answer;
}

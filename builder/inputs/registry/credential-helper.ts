import type { Result } from 'execa';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { readJson } from '#contract/text/json.ts';

/** The login that a credential helper returns. */
interface HelperAnswer {
  readonly username: string;
  readonly secret: string;
}

/** Environment and time limit. A helper may wait for the user to unlock a keychain. */
interface HelperOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds; default 60,000. */
  readonly timeout?: number | undefined;
}

/** A program name to look up in PATH, never a path. */
const helperName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const maxOutputBytes = 256 * 1024;

const answerSchema = z.object({ Username: z.string(), Secret: z.string() });

/**
 * Runs `docker-credential-<name> get` to look up the login of a server, as Docker does: the
 * server's address on standard input, JSON on standard output. Returns undefined when there is no
 * login. Errors never contain output of the helper.
 * @throws LandfallError REGISTRY_CREDENTIALS
 */
export async function askHelper(
  name: string,
  server: string,
  { env, timeout = 60_000 }: HelperOptions,
): Promise<HelperAnswer | undefined> {
  if (!helperName.test(name)) {
    throw new LandfallError('REGISTRY_CREDENTIALS', 'a credential helper has an invalid name', {
      hint: "Fix credsStore and credHelpers in Docker's config.json.",
    });
  }
  const program = `docker-credential-${name}`;
  // Imported on demand: most registries need no login.
  const { execa } = await import('execa');
  const result = await execa(program, ['get'], {
    input: server,
    env,
    extendEnv: false,
    reject: false,
    timeout,
    maxBuffer: maxOutputBytes,
    stderr: 'ignore',
  });
  const { stdout, failed } = result;
  if (!failed) return readAnswer(stdout, program, server);
  // Docker detects a missing login by the same text.
  if (/credentials not found in native keychain/i.test(stdout)) return undefined;
  throw failure(program, server, reasonOf(result, timeout));
}

function readAnswer(stdout: string, program: string, server: string): HelperAnswer {
  const answer = readJson(answerSchema, stdout);
  if (!answer) throw failure(program, server, 'printed no JSON with Username and Secret');
  return { username: answer.Username, secret: answer.Secret };
}

type Ending = Pick<Result, 'exitCode' | 'timedOut' | 'isMaxBuffer' | 'code'>;

function reasonOf({ exitCode, timedOut, isMaxBuffer, code }: Ending, timeout: number): string {
  if (code === 'ENOENT') return 'is not installed';
  if (code === 'EACCES') return 'cannot be executed: permission denied';
  if (timedOut) return `timed out after ${timeout / 1000} s`;
  if (isMaxBuffer) return 'printed too much output';
  return exitCode === undefined ? 'was killed by a signal' : `failed with exit code ${exitCode}`;
}

function failure(program: string, server: string, reason: string): LandfallError {
  return new LandfallError(
    'REGISTRY_CREDENTIALS',
    `credential helper ${program} ${reason} (server ${server})`,
    {
      hint: "Fix credsStore or credHelpers in Docker's config.json, or set DOCKER_CONFIG to an empty folder to use no login.",
    },
  );
}

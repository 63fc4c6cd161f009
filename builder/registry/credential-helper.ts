import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';

/** What a credential helper answers. */
interface HelperAnswer {
  readonly username: string;
  readonly secret: string;
}

/** Who runs it and how long it may take; a helper may wait for a person to unlock a keychain. */
interface HelperOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds; default 60,000. */
  readonly timeout?: number | undefined;
}

/** A program beside others in PATH, never a path. */
const helperName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const maxOutputBytes = 256 * 1024;

const answerSchema = z.object({ Username: z.string(), Secret: z.string() });

/**
 * Asks `docker-credential-<name> get` for the login of a server, as Docker does: the server's
 * address on standard input, JSON on standard output. Undefined when it has none. Nothing that the
 * helper printed gets into an error.
 * @throws LandfallError REGISTRY_CREDENTIALS
 */
export async function askHelper(
  name: string,
  server: string,
  { env, timeout = 60_000 }: HelperOptions,
): Promise<HelperAnswer | undefined> {
  if (!helperName.test(name)) {
    throw new LandfallError('REGISTRY_CREDENTIALS', 'a credential helper has an impossible name', {
      hint: "Correct credsStore and credHelpers in Docker's config.json.",
    });
  }
  const program = `docker-credential-${name}`;
  // Loaded when it is needed: most registries are asked without a login.
  const { execa } = await import('execa');
  const { stdout, failed, exitCode, timedOut, isMaxBuffer, code } = await execa(program, ['get'], {
    input: server,
    env,
    extendEnv: false,
    reject: false,
    timeout,
    maxBuffer: maxOutputBytes,
    stderr: 'ignore',
  });
  if (!failed) return readAnswer(stdout, program, server);
  // The text by which Docker itself recognises an empty answer.
  if (/credentials not found in native keychain/i.test(stdout)) return undefined;
  throw failure(program, server, reasonOf({ exitCode, timedOut, isMaxBuffer, code }, timeout));
}

function readAnswer(stdout: string, program: string, server: string): HelperAnswer {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    throw failure(program, server, 'answers with something else than JSON');
  }
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) throw failure(program, server, 'answers without Username and Secret');
  return { username: parsed.data.Username, secret: parsed.data.Secret };
}

interface Ending {
  readonly exitCode?: number | undefined;
  readonly timedOut: boolean;
  readonly isMaxBuffer: boolean;
  readonly code?: string | undefined;
}

function reasonOf({ exitCode, timedOut, isMaxBuffer, code }: Ending, timeout: number): string {
  if (code === 'ENOENT') return 'is not installed';
  if (code === 'EACCES') return 'may not be run';
  if (timedOut) return `did not answer within ${timeout / 1000} s`;
  if (isMaxBuffer) return 'answers without end';
  return exitCode === undefined ? 'was ended by a signal' : `failed with exit code ${exitCode}`;
}

function failure(program: string, server: string, reason: string): LandfallError {
  return new LandfallError(
    'REGISTRY_CREDENTIALS',
    `the credential helper ${program} ${reason}, asked for ${server}`,
    {
      hint: "Docker's config.json names it under credsStore or credHelpers. Repair it, or set DOCKER_CONFIG to an empty folder to go on without a login.",
    },
  );
}

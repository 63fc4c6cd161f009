import { PassThrough, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import type Docker from 'dockerode';

/** Result of a command in a container. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ExecOptions {
  readonly user?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Written to its standard input. */
  readonly input?: string | Buffer;
  /** Seconds after which it is killed (exit code 137); default 600. */
  readonly limit?: number;
}

/** Runs a command in a container and waits for its end. A failing command is not an error. */
export async function execIn(
  container: Docker.Container,
  command: readonly string[],
  options: ExecOptions = {},
): Promise<Ran> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const reading = Promise.all([text(stdout), text(stderr)]);
  const exitCode = await streamIn(container, command, { ...options, stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, err] = await reading;
  return { exitCode, stdout: out, stderr: err };
}

export interface StreamOptions extends ExecOptions {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** Runs a command and streams its output. Returns the exit code. The streams stay open. */
export async function streamIn(
  container: Docker.Container,
  command: readonly string[],
  { user = 'root', env = {}, input, limit = 600, stdout, stderr }: StreamOptions,
): Promise<number> {
  const exec = await container.exec({
    Cmd: ['timeout', '--signal=KILL', `${limit}`, ...command],
    User: user,
    Env: Object.entries({ LC_ALL: 'C.UTF-8', ...env }).map(([name, value]) => `${name}=${value}`),
    AttachStdin: input !== undefined,
    AttachStdout: true,
    AttachStderr: true,
  });
  const stream = await exec.start({ hijack: true, stdin: input !== undefined });
  container.modem.demuxStream(stream, stdout, stderr);
  if (input !== undefined) stream.end(input);
  await finished(stream, { writable: false });
  const { ExitCode } = await exec.inspect();
  return ExitCode ?? -1;
}

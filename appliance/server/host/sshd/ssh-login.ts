import type { Host } from '../host.ts';
import { type Process, readProcess, readProcessFile } from '../run/process.ts';

/** An SSH login. */
export interface SshLogin {
  /** Start of the connection, on the clock of process start times. */
  readonly start: number;
  /** Client address; undefined if SSH_CONNECTION is not set. */
  readonly from: string | undefined;
  /** Whether the client is this server, so that the firewall was not involved. */
  readonly local: boolean;
}

const maxAncestors = 64;

/**
 * Returns the SSH login that a process belongs to. Undefined on a console, in a service, and in a
 * terminal multiplexer, which outlives the login that started it.
 */
export async function findLogin(host: Host, pid: number): Promise<SshLogin | undefined> {
  const line = await ancestorsOf(host, pid);
  const first = line.findIndex(isSshd);
  if (first === -1) return undefined;
  // Ancestors of a login: the unprivileged process, the privileged process, the listener.
  let start: number | undefined;
  for (const process of line.slice(first)) {
    if (!isSshd(process) || (await isListener(host, process))) break;
    start = process.start;
  }
  if (start === undefined) return undefined;
  return { start, ...(await originOf(host, line[first - 1])) };
}

/** Returns a process and its ancestors, starting with the process. */
async function ancestorsOf(host: Host, pid: number): Promise<Process[]> {
  const line: Process[] = [];
  for (let next = pid; next > 1 && line.length < maxAncestors; ) {
    const process = await readProcess(host, next);
    if (!process) break;
    line.push(process);
    next = process.parent;
  }
  return line;
}

/** Since OpenSSH 9.8, connections are handled by `sshd-session` instead of `sshd`. */
function isSshd({ name }: Process): boolean {
  return name === 'sshd' || name === 'sshd-session';
}

async function isListener(host: Host, { pid }: Process): Promise<boolean> {
  return ((await readProcessFile(host, pid, 'cmdline')) ?? '').includes('[listener]');
}

/** Reads SSH_CONNECTION, which sshd sets for the first program of a login. */
async function originOf(
  host: Host,
  program: Process | undefined,
): Promise<Pick<SshLogin, 'from' | 'local'>> {
  const environment = program && (await readProcessFile(host, program.pid, 'environ'));
  const connection = environment
    ?.split('\0')
    .find((variable) => variable.startsWith('SSH_CONNECTION='))
    ?.slice('SSH_CONNECTION='.length);
  const [from, , to] = connection?.split(' ') ?? [];
  if (!from) return { from: undefined, local: false };
  return { from, local: from === to || from === '::1' || from.startsWith('127.') };
}

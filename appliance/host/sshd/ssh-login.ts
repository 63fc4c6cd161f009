import type { Host } from '../host.ts';
import { type Process, readProcess, readProcessFile } from '../run/process.ts';

/** A login over SSH. */
export interface SshLogin {
  /** When its connection was made, on the clock of processes. */
  readonly start: number;
  /** The address of whom it came from; undefined where nobody wrote it down. */
  readonly from: string | undefined;
  /** Whether it came from this machine itself, past the network and the firewall. */
  readonly local: boolean;
}

/** More generations than this no process has. */
const mostAncestors = 64;

/**
 * The SSH login that a process belongs to, or nothing: on a console, in a service, and also in a
 * terminal multiplexer, which outlives the login that it was started from.
 */
export async function findLogin(host: Host, pid: number): Promise<SshLogin | undefined> {
  const line = await ancestorsOf(host, pid);
  const first = line.findIndex(isSshd);
  if (first === -1) return undefined;
  // The connection's processes stand in a row: without rights, with rights, and the listener.
  let start: number | undefined;
  for (const process of line.slice(first)) {
    if (!isSshd(process) || (await isListener(host, process))) break;
    start = process.start;
  }
  if (start === undefined) return undefined;
  return { start, ...(await originOf(host, line[first - 1])) };
}

/** A process and those that it comes from, itself first. */
async function ancestorsOf(host: Host, pid: number): Promise<Process[]> {
  const line: Process[] = [];
  for (let next = pid; next > 1 && line.length < mostAncestors; ) {
    const process = await readProcess(host, next);
    if (!process) break;
    line.push(process);
    next = process.parent;
  }
  return line;
}

/** `sshd`, and since OpenSSH 9.8 `sshd-session` for a connection. */
function isSshd({ name }: Process): boolean {
  return name === 'sshd' || name === 'sshd-session';
}

async function isListener(host: Host, { pid }: Process): Promise<boolean> {
  return ((await readProcessFile(host, pid, 'cmdline')) ?? '').includes('[listener]');
}

/** sshd tells the first program of a login who is at the other end, and where this end is. */
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

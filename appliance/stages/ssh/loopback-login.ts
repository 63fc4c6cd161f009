import { setTimeout as sleep } from 'node:timers/promises';
import { anyCode, type Host } from '../../server/host/host.ts';
import type { CommandResult } from '../../server/host/run/command.ts';
import type { SshListener } from '../../server/host/sshd/ssh-listeners.ts';

interface LoopbackLogin {
  readonly user: string;
  /** Endpoints of sshd on this machine, tried in order. */
  readonly endpoints: readonly SshListener[];
  /** Absolute path of a private key; without one, no authentication is tried. */
  readonly key?: string;
  /** Absolute path of a known_hosts file; without one, any host key is accepted. */
  readonly knownHosts?: string;
}

/** Errors while sshd reloads or the machine boots. */
const temporary =
  /Connection (?:refused|reset)|kex_exchange_identification|System is booting up|not permitted to log in yet/;
/** Errors of an endpoint that cannot be reached, for example if IPv6 is disabled. */
const unreachable = /connect to (?:host|address)/;
const rounds = 10;
const pauseMs = 1000;
const loginSeconds = 90;
/** The exit code of ssh's own errors; any other is that of the remote command. */
export const sshFailed = 255;

/**
 * Logs in from this machine to itself and runs `sudo -n true`. Returns the result. Ignores the ssh
 * settings and keys of the calling user, never prompts, and retries while sshd starts.
 */
export async function loginOverLoopback(host: Host, login: LoopbackLogin): Promise<CommandResult> {
  let result: CommandResult = { code: sshFailed, stdout: '', stderr: 'SSH listens on no port' };
  for (let round = 1; round <= rounds; round += 1) {
    for (const endpoint of login.endpoints) {
      const args = argumentsFor(endpoint, login);
      result = await host.run('ssh', args, { accept: anyCode, seconds: loginSeconds });
      if (result.code !== sshFailed || !unreachable.test(result.stderr)) break;
    }
    if (result.code !== sshFailed || !temporary.test(result.stderr)) break;
    await sleep(pauseMs);
  }
  return result;
}

/** Returns the endpoints of listeners on this machine, IPv4 before IPv6. */
export function loopbackEndpoints(listeners: readonly SshListener[]): SshListener[] {
  const endpoints = listeners.flatMap(({ address, port }) =>
    (loopback[address] ?? [address]).map((each) => ({ address: each, port })),
  );
  const byName = new Map(endpoints.map((each) => [`${each.address} ${each.port}`, each]));
  return [...byName.values()].sort(
    (a, b) => Number(a.address.includes(':')) - Number(b.address.includes(':')),
  );
}

/** A wildcard IPv6 socket may also accept IPv4. */
const loopback: Readonly<Record<string, readonly string[]>> = {
  '0.0.0.0': ['127.0.0.1'],
  '::': ['127.0.0.1', '::1'],
  '*': ['127.0.0.1', '::1'],
};

function argumentsFor({ address, port }: SshListener, { user, key, knownHosts }: LoopbackLogin) {
  const settings = {
    BatchMode: 'yes',
    ConnectTimeout: '30',
    ControlMaster: 'no',
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    PreferredAuthentications: key ? 'publickey' : 'none',
    StrictHostKeyChecking: knownHosts ? 'yes' : 'no',
    UserKnownHostsFile: knownHosts ?? '/dev/null',
    GlobalKnownHostsFile: '/dev/null',
  };
  return [
    ...['-F', '/dev/null', '-p', `${port}`, '-l', user],
    ...(key ? ['-i', key] : []),
    ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    ...[address, 'sudo -n true'],
  ];
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../host/host.ts';
import type { CommandResult } from '../host/run/command.ts';
import type { Listener } from '../host/sshd/listener.ts';

interface LoopbackLogin {
  readonly user: string;
  /** Where sshd is reached from here; one that does not answer is passed over. */
  readonly doors: readonly Listener[];
  /** Absolute path of a private key; without one nothing is offered. */
  readonly key?: string;
  /** Absolute path of a file with the host keys to believe; without one any is. */
  readonly knownHosts?: string;
}

/** While sshd reads its settings anew, or the machine still boots, nobody gets in. */
const passing =
  /Connection (?:refused|reset)|kex_exchange_identification|System is booting up|not permitted to log in yet/;
/** Nobody is behind this door: IPv6 is turned off, say. */
const noAnswer = /connect to (?:host|address)/;
const rounds = 10;
const pauseMs = 1000;
const loginSeconds = 90;
/** What ssh itself ends with; everything else is the code of the command that it ran. */
export const sshFailed = 255;

/**
 * Logs in from this machine to itself, runs `sudo -n true` and gives what came of it. Uses no
 * settings or other keys of whoever runs it, never asks, and waits a little for an sshd that is
 * about to answer.
 */
export async function loginOverLoopback(host: Host, login: LoopbackLogin): Promise<CommandResult> {
  let result: CommandResult = { code: sshFailed, stdout: '', stderr: 'SSH listens on no port' };
  for (let round = 1; round <= rounds; round += 1) {
    for (const door of login.doors) {
      const args = argumentsFor(door, login);
      result = await host.run('ssh', args, { accept: anyCode, seconds: loginSeconds });
      if (result.code !== sshFailed || !noAnswer.test(result.stderr)) break;
    }
    if (result.code !== sshFailed || !passing.test(result.stderr)) break;
    await sleep(pauseMs);
  }
  return result;
}

/** Where listeners are reached from this machine itself, IPv4 before IPv6. */
export function doorsOf(listeners: readonly Listener[]): Listener[] {
  const doors = listeners.flatMap(({ address, port }) =>
    (loopback[address] ?? [address]).map((each) => ({ address: each, port })),
  );
  const byName = new Map(doors.map((door) => [`${door.address} ${door.port}`, door]));
  return [...byName.values()].sort(
    (a, b) => Number(a.address.includes(':')) - Number(b.address.includes(':')),
  );
}

/** A socket for every IPv6 address may take IPv4 as well. */
const loopback: Readonly<Record<string, readonly string[]>> = {
  '0.0.0.0': ['127.0.0.1'],
  '::': ['127.0.0.1', '::1'],
  '*': ['127.0.0.1', '::1'],
};

function argumentsFor({ address, port }: Listener, { user, key, knownHosts }: LoopbackLogin) {
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

const anyCode = Array.from({ length: 256 }, (_, code) => code);

import type { Agent } from 'undici';
import { Daemon } from './daemon.ts';
import type { Host } from './host.ts';

const socket = 'run/docker.sock';
/** Includes the start of Docker through socket activation. Milliseconds. */
const connectTimeout = 60_000;

/** Docker of this server. */
export const docker = new Daemon(
  'Docker',
  { down: 'DOCKER_UNREACHABLE', invalid: 'DOCKER_UNREACHABLE' },
  'Check the logs: sudo journalctl --unit docker --lines 50',
);

/** Returns how to connect to Docker. Docker responds late; the signal of a request limits the time. */
export function toDocker(host: Host): Agent.Options {
  return { connect: { socketPath: host.path(socket), timeout: connectTimeout }, headersTimeout: 0 };
}

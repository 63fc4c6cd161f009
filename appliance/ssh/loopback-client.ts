export interface LoopbackLogin {
  readonly user: string;
  /** Numeric address. */
  readonly address: string;
  readonly port: number;
  /** Absolute path of a private key; without one nothing is offered. */
  readonly key?: string;
  /** Absolute path of a file with the host keys to believe; without one any is. */
  readonly knownHosts?: string;
}

/**
 * The command line of a login from this machine to itself. It uses no settings, agent or other key
 * of whoever runs it, never asks, and does not wait.
 */
export function sshCommand(login: LoopbackLogin): { file: string; args: readonly string[] } {
  const { user, address, port, key, knownHosts } = login;
  const settings = {
    BatchMode: 'yes',
    ConnectTimeout: '10',
    ControlMaster: 'no',
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    LogLevel: 'ERROR',
    PreferredAuthentications: key ? 'publickey' : 'none',
    StrictHostKeyChecking: knownHosts ? 'yes' : 'no',
    UserKnownHostsFile: knownHosts ?? '/dev/null',
    GlobalKnownHostsFile: '/dev/null',
  };
  return {
    file: 'ssh',
    args: [
      ...['-F', '/dev/null', '-p', `${port}`, '-l', user],
      ...(key ? ['-i', key] : []),
      ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
      ...[address, 'sudo -n true'],
    ],
  };
}

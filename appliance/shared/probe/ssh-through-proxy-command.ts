import { Command } from 'commander';

interface Process {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly env: NodeJS.ProcessEnv;
}

/** `landfall ssh-through-proxy`: the ProxyCommand that only ssh runs, on computers and on servers. */
export function sshThroughProxyCommand({ stdin, stdout, env }: Process) {
  return new Command('ssh-through-proxy')
    .description('connect standard input and output to a server through a proxy; called by ssh')
    .argument('<host>')
    .argument('<port>')
    .action(async (host, port) => {
      const { sshProxyVariable, throughProxy } = await import('./exchange/ssh-through-proxy.ts');
      const target = { host, port: Number(port) };
      await throughProxy(target, env[sshProxyVariable] ?? '', { stdin, stdout });
    });
}

import { Command } from 'commander';
import type { CommandContext } from '../../actions/context.ts';

/** `landfall ssh-through-proxy`: the ProxyCommand of `--ssh-proxy`, which only ssh runs. */
export function sshThroughProxyCommand({ stdin, stdout, env }: CommandContext): Command {
  return new Command('ssh-through-proxy')
    .description('connect standard input and output to a server through a proxy')
    .argument('<host>')
    .argument('<port>')
    .action(async (host: string, port: string) => {
      const { sshProxyVariable, throughProxy } = await import('../../ssh/through-proxy.ts');
      const target = { host, port: Number(port) };
      await throughProxy(target, env[sshProxyVariable] ?? '', { stdin, stdout });
    });
}

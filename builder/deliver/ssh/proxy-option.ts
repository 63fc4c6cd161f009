import { LandfallError } from '#contract/errors.ts';
import { chooseProxy } from '#http/proxy.ts';
import { sshProxyVariable } from '#probe/exchange/ssh-through-proxy.ts';

/**
 * Returns the URL of the proxy for connections over SSH: that of the option, or of the variable.
 * @throws LandfallError USAGE for a password in the option, NETWORK_PROXY for another text
 */
export function sshProxyOf(option: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  const text = option ?? env[sshProxyVariable];
  if (text === undefined || text === '') return undefined;
  const proxy = chooseProxy(new URL('ssh://localhost'), { proxy: text });
  if (option === undefined || proxy?.password === '') return text;
  throw new LandfallError('USAGE', 'the URL of --ssh-proxy has a password', {
    hint: `Other users of this computer can see arguments. Set ${sshProxyVariable} to the URL instead.`,
  });
}

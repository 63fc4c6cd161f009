import { LandfallError } from '#contract/errors.ts';
import type { EditorContext } from '../context.ts';
import { editorProxy, hasLogin, type Login } from '../proxy-url.ts';

/** Variable with the password of the proxy. */
const passwordVariable = 'LANDFALL_PROXY_PASSWORD';

/** Options that select the proxy. */
export interface ProxyFlags {
  readonly proxy?: string;
  readonly proxyUser?: string;
}

/**
 * Returns the URL of the proxy. A login comes from a prompt or from the environment, because other
 * users can see command lines.
 * @throws LandfallError USAGE
 */
export async function proxyOf(context: EditorContext, flags: ProxyFlags): Promise<string> {
  const { env } = context;
  if (flags.proxy !== undefined && hasLogin(flags.proxy)) throw loginInArguments();
  const url = flags.proxy ?? (env.HTTPS_PROXY || env.https_proxy || '');
  if (url === '') {
    throw new LandfallError('USAGE', 'the proxy is unknown: HTTPS_PROXY is not set', {
      hint: 'Add the proxy, for example --proxy http://10.0.0.2:7890',
    });
  }
  return editorProxy(url, await loginOf(context, flags));
}

async function loginOf(
  { env, askSecret }: EditorContext,
  { proxyUser: user }: ProxyFlags,
): Promise<Login | undefined> {
  if (user === undefined) return undefined;
  const given = env[passwordVariable];
  if (given) return { user, password: given };
  const password = await askSecret?.(`Password of ${user} at the proxy`);
  if (password) return { user, password };
  throw new LandfallError('USAGE', 'the password of the proxy is empty or cannot be prompted for', {
    hint: `Set the environment variable ${passwordVariable}, or run this on a terminal.`,
  });
}

function loginInArguments(): LandfallError {
  return new LandfallError('USAGE', '--proxy must not contain a user or a password', {
    hint: `Use --proxy-user, and enter the password at the prompt or in ${passwordVariable}: other users can see command lines.`,
  });
}

import { LandfallError } from '#contract/errors.ts';
import { chooseProxy, type ProxyServer } from '#http/proxy.ts';

/** Variable with the password of the proxy in `--proxy`. */
const passwordVariable = 'LANDFALL_PROXY_PASSWORD';

/** Where the proxy of a probe comes from. */
export interface ProxyChoice {
  /** Value of `--proxy`; it applies to all URLs. */
  readonly option: string | undefined;
  /** Proxy variables, used without the option. */
  readonly route: NodeJS.ProcessEnv;
  /** The environment of the user, with the password. */
  readonly env: NodeJS.ProcessEnv;
  /** Prompts for a password; undefined without a terminal. */
  readonly askPassword: (() => Promise<string>) | undefined;
}

/**
 * Returns the proxy of each URL. A password on the command line is rejected, because other users of
 * this machine can see it.
 * @throws LandfallError USAGE for a password in the option, or for a missing one; NETWORK_PROXY
 */
export async function proxyChooser(
  choice: ProxyChoice,
): Promise<(url: URL) => ProxyServer | undefined> {
  const { option, route } = choice;
  if (option === undefined) return (url) => chooseProxy(url, { env: route });
  const proxy = await withPassword(option, choice);
  return (url) => chooseProxy(url, { proxy });
}

/**
 * Returns the proxy of an option with its password, from the environment or from a prompt.
 * @throws LandfallError USAGE for a password in the option, or for a missing one
 */
export async function withPassword(
  option: string,
  { env, askPassword }: Pick<ProxyChoice, 'env' | 'askPassword'>,
): Promise<string> {
  const text = option.includes('://') ? option : `http://${option}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.password) {
    throw new LandfallError('USAGE', 'the proxy URL contains a password', {
      hint: {
        en: `Write only the user, as in http://user@host:port, and set ${passwordVariable} or enter the password at the prompt.`,
        zh: `只写用户名，例如 http://user@host:port，密码用 ${passwordVariable} 设置，或在提示处输入。`,
      },
    });
  }
  if (url === undefined || url.username === '') return option;
  const password = env[passwordVariable] || (await askPassword?.());
  if (!password) {
    throw new LandfallError('USAGE', 'the password of the proxy is missing', {
      hint: {
        en: `Set ${passwordVariable}, or run the command on a terminal to enter it.`,
        zh: `设置 ${passwordVariable}，或在终端中运行并输入。`,
      },
    });
  }
  url.password = encodeURIComponent(password);
  return url.href;
}

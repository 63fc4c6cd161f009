export interface Login {
  readonly user: string;
  /** Address of the server, IPv4 or IPv6. */
  readonly host: string;
  readonly port?: number;
  /**
   * Default: the outsider's own key. A password is tried instead of it; `none` offers no method.
   */
  readonly with?: 'key' | 'none' | { readonly password: string };
  readonly command?: string;
  /** File with the private key; default: the outsider's. */
  readonly identity?: string;
  /**
   * Number of connection attempts, one second apart, while the port may be closed; default: one.
   */
  readonly attempts?: number;
}

/** Builds the command line of OpenSSH's client, which accepts any host key and never prompts. */
export function sshArguments(login: Login): {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
} {
  const { user, host, port = 22, with: offer = 'key', command = 'true' } = login;
  const { identity = '/root/key', attempts = 1 } = login;
  const password = typeof offer === 'object' ? offer.password : undefined;
  const settings = {
    StrictHostKeyChecking: 'no',
    UserKnownHostsFile: '/dev/null',
    LogLevel: 'ERROR',
    ConnectTimeout: '10',
    ConnectionAttempts: `${attempts}`,
    NumberOfPasswordPrompts: '1',
    PubkeyAuthentication: offer === 'key' ? 'yes' : 'no',
    BatchMode: password === undefined ? 'yes' : 'no',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  return {
    argv: ['ssh', '-i', identity, '-p', `${port}`, ...options, `${user}@${host}`, command],
    // A program that prints the answer to a prompt; OpenSSH 8.4 and newer use it without a display.
    env: password === undefined ? {} : { SSH_ASKPASS_REQUIRE: 'force', ...askpass(password) },
  };
}

/**
 * The prompt is passed as an argument, which `printenv` would take for a variable: a small script
 * is needed.
 */
function askpass(password: string): Record<string, string> {
  return { SSH_ASKPASS: '/root/askpass', PASSWORD: password };
}

import { Socks5ProxyAgent } from 'undici';

type Inputs = ConstructorParameters<typeof Socks5ProxyAgent>;

/**
 * Creates a dispatcher for a SOCKS5 proxy, without undici's warning that its support is experimental:
 * users cannot act on it, and it would appear between the lines of a command.
 */
export function socksAgent(...inputs: Inputs): Socks5ProxyAgent {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return new Socks5ProxyAgent(...inputs);
  } finally {
    process.emitWarning = emitWarning;
  }
}

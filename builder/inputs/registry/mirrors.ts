import { LandfallError } from '#contract/errors.ts';
import { isLoopback, isPrivate } from './loopback.ts';
import { dockerHub } from './reference.ts';

/** The endpoint of a registry or a mirror. */
interface Address {
  readonly host: string;
  readonly base: URL;
  readonly prefix: string;
}

/**
 * Returns the address of a registry: https, or plain http on this machine. Docker Hub's address
 * differs from its name.
 */
export function registryAddress(registry: string): Address {
  if (registry === dockerHub) {
    return { host: registry, base: new URL('https://registry-1.docker.io'), prefix: '' };
  }
  const secure = new URL(`https://${registry}`);
  const base = isLoopback(secure) ? new URL(`http://${registry}`) : secure;
  return { host: registry, base, prefix: '' };
}

/**
 * Returns the address of a mirror from its base URL. A path, such as the project of a caching
 * registry, is a prefix of the repository: `https://host/project` and `https://host/v2/project`
 * both become `https://host/v2/project/library/nginx/...`.
 * @throws LandfallError CONFIG_INVALID
 */
export function mirrorAddress(text: string, registry: string): Address {
  const base = URL.canParse(text) ? new URL(text) : undefined;
  const path = base?.pathname.replace(/^\/v2(?=\/|$)/, '').replace(/^\/+|\/+$/g, '') ?? '';
  const flaw = flawOf(base, path);
  if (base && flaw === undefined) {
    return { host: base.host, base: new URL(base.origin), prefix: path === '' ? '' : `${path}/` };
  }
  const mirror = base ? `mirror ${base.host}` : 'mirror';
  throw new LandfallError('CONFIG_INVALID', `invalid ${mirror} of ${registry}: ${flaw}`, {
    hint: 'Use a URL such as https://mirror.example.com or https://mirror.example.com/project, and `docker login` for logins.',
  });
}

function flawOf(base: URL | undefined, path: string): string | undefined {
  if (!base) return 'not a URL';
  if (base.username || base.password) return 'the URL contains a password';
  if (!isPrivate(base)) return 'not an https URL';
  if (base.search || base.hash) return 'the URL has a query or a fragment';
  const isPrefix = /^(?:[\w.-]+(?:\/[\w.-]+)*)?$/.test(path);
  return isPrefix ? undefined : 'the path is not a valid repository prefix';
}

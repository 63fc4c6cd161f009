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
  if (!base) throw invalid(`invalid mirror of ${registry}: not a URL`);
  if (base.username || base.password) {
    throw invalid(`invalid mirror ${base.host} of ${registry}: the URL contains a password`);
  }
  if (!isPrivate(base))
    throw invalid(`invalid mirror ${base.host} of ${registry}: not an https URL`);
  if (base.search || base.hash)
    throw invalid(`invalid mirror ${base.host} of ${registry}: the URL has a query or a fragment`);
  const path = base.pathname.replace(/^\/v2(?=\/|$)/, '').replace(/^\/+|\/+$/g, '');
  if (!/^(?:[\w.-]+(?:\/[\w.-]+)*)?$/.test(path)) {
    throw invalid(
      `invalid mirror ${base.host} of ${registry}: the path is not a valid repository prefix`,
    );
  }
  return { host: base.host, base: new URL(base.origin), prefix: path === '' ? '' : `${path}/` };
}

function invalid(message: string): LandfallError {
  return new LandfallError('CONFIG_INVALID', message, {
    hint: 'Use a URL such as https://mirror.example.com or https://mirror.example.com/project, and `docker login` for logins.',
  });
}

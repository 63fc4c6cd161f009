import { LandfallError } from '#contract/errors.ts';
import { isLoopback, isPrivate } from './loopback.ts';
import { dockerHub } from './reference.ts';

/** Where the registry protocol is spoken for some image, before anything is known of it. */
interface Address {
  readonly host: string;
  readonly base: URL;
  readonly prefix: string;
}

/**
 * The address of a registry itself: https, or plain http where it is on this machine. Docker Hub's
 * name is not its address.
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
 * The address of a mirror from its base URL. A path in it, such as the project of a registry that
 * caches others, comes before the repository: `https://host/project` and `https://host/v2/project`
 * both lead to `https://host/v2/project/library/nginx/...`.
 * @throws LandfallError CONFIG_INVALID
 */
export function mirrorAddress(text: string, registry: string): Address {
  const base = URL.canParse(text) ? new URL(text) : undefined;
  if (!base) throw invalid(`a mirror of ${registry} is not a URL`);
  if (base.username || base.password) {
    throw invalid(`the mirror ${base.host} of ${registry} has a password in its URL`);
  }
  if (!isPrivate(base)) throw invalid(`the mirror ${base.host} of ${registry} is not an https URL`);
  if (base.search || base.hash) throw invalid(`the mirror ${base.host} has a query in its URL`);
  const path = base.pathname.replace(/^\/v2(?=\/|$)/, '').replace(/^\/+|\/+$/g, '');
  if (!/^(?:[\w.-]+(?:\/[\w.-]+)*)?$/.test(path)) {
    throw invalid(`the mirror ${base.host} has a path that no repository can have`);
  }
  return { host: base.host, base: new URL(base.origin), prefix: path === '' ? '' : `${path}/` };
}

function invalid(message: string): LandfallError {
  return new LandfallError('CONFIG_INVALID', message, {
    hint: 'Write mirrors like https://mirror.example.com or https://mirror.example.com/project; logins belong into `docker login`.',
  });
}

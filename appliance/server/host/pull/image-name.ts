/** An image name as Docker parses it: the first part is a registry only if it looks like a host. */
interface ImageName {
  readonly registry: string;
  readonly repository: string;
}

/** Splits `nginx:1.30.7-alpine` into `docker.io` and `library/nginx`. Drops tag and digest. */
export function imageName(reference: string): ImageName {
  const bare = reference.replace(/@.*$/, '').replace(/:[^:/]*$/, '');
  const [first = '', ...rest] = bare.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  if (isHost) return { registry: first, repository: rest.join('/') };
  return {
    registry: 'docker.io',
    repository: rest.length === 0 ? `library/${bare}` : bare,
  };
}

/**
 * Returns a registry's host for use in an image name. Docker would parse a host without a dot and
 * without a port as a namespace on Docker Hub, so such a host gets an explicit port.
 */
export function registryHost({ protocol, host, hostname }: URL): string {
  if (/[.:]/.test(host) || hostname === 'localhost') return host;
  return `${host}:${protocol === 'http:' ? 80 : 443}`;
}

/** A name as Docker reads it: the first part is a registry only when it looks like a host. */
interface ImageName {
  readonly registry: string;
  readonly repository: string;
}

/** Splits `nginx:1.30.5-alpine` into `docker.io` and `library/nginx`; tags and digests go. */
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
 * The host of a registry as it begins a name: one without a dot and without a port would be read as
 * somebody's folder on Docker's hub.
 */
export function registryHost({ protocol, host, hostname }: URL): string {
  if (/[.:]/.test(host) || hostname === 'localhost') return host;
  return `${host}:${protocol === 'http:' ? 80 : 443}`;
}

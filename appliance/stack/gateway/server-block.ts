/** How clients connect to a server of the gateway. */
export interface Security {
  readonly tls: boolean;
  /** Whether browsers shall use TLS only from now on. */
  readonly hsts: boolean;
}

/**
 * Returns the security headers of every response. nginx ignores those of a server in a location that
 * adds headers itself, so such a location repeats them.
 */
export function securityHeaders({ hsts }: Pick<Security, 'hsts'>): string[] {
  return [
    'add_header X-Content-Type-Options nosniff always;',
    'add_header Referrer-Policy same-origin always;',
    ...(hsts ? ['add_header Strict-Transport-Security "max-age=31536000" always;'] : []),
  ];
}

/** Renders a server block of nginx, with the security headers. */
export function server(security: Pick<Security, 'hsts'>, ...parts: readonly string[]): string {
  return `server ${block([...parts, ...securityHeaders(security)])}\n`;
}

/** Renders the braces of a block, with its directives indented. */
export function block(parts: readonly string[]): string {
  return `{\n${parts.join('\n').replace(/^(?=.)/gm, '  ')}\n}`;
}

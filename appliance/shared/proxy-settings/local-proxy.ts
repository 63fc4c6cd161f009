/**
 * The HTTP proxy on the loopback address of a server with a SOCKS5 route (decision 42). Port 7890 is
 * the usual port of proxy clients (SPEC 2.1).
 */
export const localProxy = { host: '127.0.0.1', port: 7890, url: 'http://127.0.0.1:7890' } as const;

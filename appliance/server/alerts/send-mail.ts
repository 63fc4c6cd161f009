import { isIP, type Socket } from 'node:net';
import { LandfallError } from '#contract/errors.ts';
import type { AlertTarget } from '#contract/site/alerts/targets.ts';
import { readCertificates, trustContext } from '#http/certificates.ts';
import { networkError } from '#http/failures.ts';
import type { NetworkOptions } from '#http/options.ts';
import { chooseProxy } from '#http/proxy.ts';
import { systemNetwork } from '#probe/exchange/network.ts';
import { openConnection } from '#probe/exchange/send.ts';
import type { Message } from './message.ts';

export type MailTarget = Extract<AlertTarget, { kind: 'smtp' }>;

/** Milliseconds for one message. */
const defaultTimeout = 60_000;
/** Bytes of one response of a mail server. */
const maxResponse = 16 * 1024;

/**
 * Sends a message by SMTP with TLS (RFC 8314, RFC 3207). Errors contain the status of the server, but
 * not its text, because it may repeat the password.
 * @throws LandfallError ALERT_FAILED, NETWORK_…
 */
export async function sendMail(
  target: MailTarget,
  password: string | undefined,
  message: Message,
  network: NetworkOptions,
  timeout = defaultTimeout,
): Promise<void> {
  const signal = AbortSignal.timeout(timeout);
  const port = target.port ?? (target.security === 'tls' ? 465 : 587);
  const socket = await mailSocket({ host: target.host, port }, network, signal);
  try {
    const transport = await transportOver(socket, { ...target, port }, password, network);
    await Promise.race([
      transport.sendMail({
        from: target.from,
        to: [...target.to],
        subject: message.title,
        text: message.text,
        headers: { 'Auto-Submitted': 'auto-generated' },
      }),
      endOf(signal),
    ]);
  } catch (error) {
    throw signal.aborted
      ? new LandfallError('NETWORK_TIMEOUT', `${target.host}:${port} did not respond in time`)
      : explain(error, new URL(`https://${target.host}:${port}`), network);
  } finally {
    socket.destroy();
  }
}

/** nodemailer takes about 50 ms to load, so only mail loads it. */
async function transportOver(
  connection: Socket,
  { host, port, security, user }: MailTarget & { readonly port: number },
  password: string | undefined,
  { ca }: NetworkOptions,
) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: true,
    getSocket: (_options, done) => done(null, { connection }),
    maxResponseSize: maxResponse,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    tls: {
      secureContext: trustContext(ca === undefined ? [] : readCertificates(ca)),
      ...(isIP(host) === 0 ? { servername: host } : {}),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** What failed, by the code of nodemailer; `{}` is the server. */
const failures: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  EAUTH: [
    '{} rejected the login',
    'Check `user` in the site, and set the password with `sudo landfall secret set`.',
  ],
  EENVELOPE: ['{} rejected the sender or a recipient', 'Check `from` and `to` in the site.'],
  EMESSAGE: ['{} rejected the message', 'Check the limits of the mail server.'],
  ETLS: [
    '{} does not support STARTTLS',
    'Set `security: tls` and the port 465, or use another server.',
  ],
};

function explain(error: unknown, url: URL, { settings }: NetworkOptions): LandfallError {
  const { code, originalCode, responseCode } = fieldsOf(error);
  const status = typeof responseCode === 'number' ? `: status ${responseCode}` : '';
  const known = failures[String(code)];
  if (known !== undefined) {
    const [what, hint] = known;
    // SMTP statuses from 400 to 499 are temporary (RFC 5321, 4.2.1).
    const retriable = typeof responseCode === 'number' && responseCode < 500;
    const message = `${what.replace('{}', () => url.host)}${status}`;
    return new LandfallError('ALERT_FAILED', message, { hint, retriable });
  }
  if (status !== '' || code === 'EPROTOCOL') {
    return new LandfallError('ALERT_FAILED', `${url.host} is not available for mail${status}`, {
      hint: {
        en: 'Check the host and the port of the mail server.',
        zh: '检查邮件服务器的主机和端口。',
      },
    });
  }
  // A new error: that of nodemailer may contain the response of the server.
  const cause = Object.assign(new Error('mail'), { code: originalCode ?? code });
  return networkError(cause, { url, proxy: undefined, settings });
}

function fieldsOf(error: unknown): Readonly<Record<string, unknown>> {
  return typeof error === 'object' && error !== null ? { ...error } : {};
}

/**
 * Opens a connection to a mail server over the route: direct, through CONNECT of an HTTP proxy, or
 * through SOCKS5. The proxy resolves the name.
 * @param signal ends the attempt, and later the connection
 * @throws LandfallError NETWORK_UNREACHABLE, NETWORK_TIMEOUT, NETWORK_TLS, NETWORK_PROXY
 */
async function mailSocket(
  { host, port }: { readonly host: string; readonly port: number },
  network: NetworkOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const url = new URL(`https://${host}:${port}`);
  const proxy = chooseProxy(url, network);
  // A mail server sends its greeting first, possibly with the response of the proxy.
  const opening = openConnection(url, { proxy }, systemNetwork(network.ca), true);
  signal.addEventListener('abort', () =>
    opening.then(
      (socket) => socket.destroy(),
      () => {},
    ),
  );
  try {
    return await Promise.race([opening, endOf(signal)]);
  } catch (cause) {
    const { settings } = network;
    if (signal.aborted)
      throw new LandfallError('NETWORK_TIMEOUT', `${url.host} did not respond in time`);
    if (!(cause instanceof LandfallError))
      throw networkError(cause, { url, proxy: proxy?.url.host, settings });
    const message = `the proxy ${proxy?.url.host} cannot reach ${host}:${port}: ${cause.message}`;
    throw new LandfallError('NETWORK_PROXY', message, {
      hint: {
        en: 'Many proxies allow only port 443: use a webhook, or a mail server that the proxy allows.',
        zh: '许多代理只允许 443 端口：请改用 webhook，或代理允许的邮件服务器。',
      },
    });
  }
}

/** Rejects when the signal aborts. */
function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('timed out')), { once: true });
  });
}

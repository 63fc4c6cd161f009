import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { renderMessage } from '../../../../appliance/server/alerts/message.ts';
import { type MailTarget, sendMail } from '../../../../appliance/server/alerts/send-mail.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { HttpProxy } from '../../../faulty-server/http-proxy.ts';
import { SocksProxy } from '../../../faulty-server/socks-proxy.ts';
import { planted } from '../../../stand-ins/alert-receivers/vendors.ts';
import { smallSite } from '../../context.ts';
import { failedAlert } from './fixture.ts';

const message = renderMessage('vps-1', [failedAlert]);

const authority = new CertificateAuthority();

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** Starts a mail server that requires a login, except with `authOptional`. */
async function mailServer(options: SMTPServerOptions = {}) {
  const { key, cert } = authority.issue();
  const mails: string[] = [];
  const logins: string[] = [];
  const server = new SMTPServer({
    key,
    cert,
    onAuth: ({ username, password }, { secure }, done) => {
      logins.push(`${username} ${secure ? 'with' : 'without'} TLS`);
      if (password === planted.password) done(null, { user: username });
      // A hostile server repeats the password.
      else done(new Error(`535 wrong password ${password}`));
    },
    onData: (stream, _session, done) => {
      let mail = '';
      stream.setEncoding('utf8').on('data', (chunk) => {
        mail += chunk;
      });
      stream.on('end', () => {
        mails.push(mail);
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  open.push({ close: () => new Promise((resolve) => server.close(() => resolve())) });
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, logins };
}

function targetOn(port: number, rest: object = {}): MailTarget {
  const { alerts } = siteSchema.parse({
    ...smallSite,
    alerts: [
      {
        kind: 'smtp',
        host: 'localhost',
        port,
        user: 'alerts',
        from: 'landfall@example.com',
        to: ['me@example.com', 'you@example.com'],
        ...rest,
      },
    ],
  });
  return alerts[0] as MailTarget;
}

const network = (env: NodeJS.ProcessEnv = {}) => ({ env, ca: authority.cert });
const send = (target: MailTarget, env?: NodeJS.ProcessEnv, timeout?: number) =>
  sendMail(target, planted.password, message, network(env), timeout);

async function errorOf(sending: Promise<unknown>) {
  const error = (await sending.catch((reason: unknown) => reason)) as { code: string };
  expect(`${JSON.stringify(error)} ${error}`).not.toContain(planted.password);
  return error;
}

describe('mail', () => {
  it('sends mail over TLS, after a login', async () => {
    const server = await mailServer({ secure: true });
    await send(targetOn(server.port));
    expect(server.logins).toEqual(['alerts with TLS']);
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]).toMatch(/^Subject: Landfall on vps-1: .*failed/m);
    expect(server.mails[0]).toMatch(/^Auto-Submitted: auto-generated/m);
    expect(server.mails[0]).toMatch(/^To: me@example\.com, you@example\.com/m);
    expect(server.mails[0]).toContain('sudo landfall route test');
  });

  it('sends mail with STARTTLS, and the login only after it', async () => {
    const server = await mailServer();
    await send(targetOn(server.port, { security: 'starttls' }));
    expect(server.logins).toEqual(['alerts with TLS']);
    expect(server.mails).toHaveLength(1);
  });

  it('sends no login and no mail without STARTTLS', async () => {
    const server = await mailServer({ disabledCommands: ['STARTTLS'] });
    const error = await errorOf(send(targetOn(server.port, { security: 'starttls' })));
    expect(error).toMatchObject({ code: 'ALERT_FAILED' });
    expect(server.logins).toEqual([]);
  });

  it('needs no password without a user', async () => {
    const server = await mailServer({ secure: true, authOptional: true });
    await sendMail(targetOn(server.port, { user: undefined }), undefined, message, network());
    expect(server.logins).toEqual([]);
    expect(server.mails).toHaveLength(1);
  });

  it('fails with a wrong password, without the text of the server', async () => {
    const server = await mailServer({ secure: true });
    const target = targetOn(server.port);
    const sending = sendMail(target, `${planted.password}!`, message, network());
    expect(await errorOf(sending)).toMatchObject({
      code: 'ALERT_FAILED',
      message: `localhost:${server.port} rejected the login: status 535`,
      retriable: false,
    });
  });

  it.each(['tls', 'starttls'])('fails with an untrusted certificate: %s', async (security) => {
    const server = await mailServer({ secure: security === 'tls' });
    const target = targetOn(server.port, { security });
    const sending = sendMail(target, planted.password, message, { env: {} });
    expect(await errorOf(sending)).toMatchObject({ code: 'NETWORK_TLS' });
    expect(server.logins).toEqual([]);
  });

  it('fails if the port is closed', async () => {
    expect(await errorOf(send(targetOn(9)))).toMatchObject({ code: 'NETWORK_UNREACHABLE' });
  });
});

describe('mail through the proxy of the site', () => {
  const named = { host: 'mail.example.com' };
  const names = { 'mail.example.com': '127.0.0.1' };

  it('uses CONNECT of an HTTP proxy with a login, which resolves the name', async () => {
    const server = await mailServer({ ...authority.issue({ names: ['mail.example.com'] }) });
    const proxy = await HttpProxy.start({ names, login: 'me:secret' });
    open.push(proxy);
    const https_proxy = proxy.url.replace('//', '//me:secret@');
    await send(targetOn(server.port, { ...named, security: 'starttls' }), { https_proxy });
    expect(proxy.asked).toEqual([`CONNECT mail.example.com:${server.port}`]);
    expect(server.mails).toHaveLength(1);
  });

  it('uses a SOCKS5 proxy with a login, which resolves the name', async () => {
    const server = await mailServer({
      secure: true,
      ...authority.issue({ names: ['mail.example.com'] }),
    });
    const proxy = await SocksProxy.start({ names, login: 'me:secret' });
    open.push(proxy);
    const https_proxy = `socks5://me:secret@${proxy.host}`;
    await send(targetOn(server.port, named), { https_proxy });
    expect(proxy.asked).toEqual([`mail.example.com:${server.port}`]);
    expect(server.mails).toHaveLength(1);
  });

  it.each([
    [403, 'the proxy responded with status 403'],
    [407, 'authentication failed'],
  ])('fails if the proxy responds with status %d', async (refusal, reason) => {
    const proxy = await HttpProxy.start({ refusal });
    open.push(proxy);
    const error = await errorOf(send(targetOn(465, named), { https_proxy: proxy.url }));
    expect(error).toMatchObject({
      code: 'NETWORK_PROXY',
      message: expect.stringMatching(`cannot reach mail.example.com:465: ${reason}`),
    });
  });

  it.each(['http', 'socks5'])('times out with a silent proxy: %s', async (scheme) => {
    const { port } = await listener(() => {});
    const https_proxy = `${scheme}://127.0.0.1:${port}`;
    const error = await errorOf(send(targetOn(465, named), { https_proxy }, 300));
    expect(error).toMatchObject({ code: 'NETWORK_TIMEOUT' });
  });
});

describe('a hostile mail server', () => {
  it('that sends an endless greeting is disconnected', async () => {
    let sent = 0;
    const { port } = await listener((socket) => {
      const line = `220-${'x'.repeat(60_000)}\r\n`;
      const more = (): void => {
        if (socket.destroyed) return;
        sent += line.length;
        if (socket.write(line)) setImmediate(more);
        else socket.once('drain', more);
      };
      more();
    });
    const error = await errorOf(send(targetOn(port, { security: 'starttls' })));
    expect(error.code).toMatch(/^(?:ALERT_FAILED|NETWORK_UNREACHABLE)$/);
    expect(sent).toBeLessThan(32e6);
  });

  it('that does not respond causes a timeout', async () => {
    const { port } = await listener(() => {});
    const error = await errorOf(send(targetOn(port, { security: 'starttls' }), {}, 300));
    expect(error).toMatchObject({ code: 'NETWORK_TIMEOUT' });
  });
});

/** Listens on loopback with a raw protocol. */
async function listener(serveClient: (socket: Socket) => void): Promise<{ port: number }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    serveClient(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  });
  return { port: (server.address() as AddressInfo).port };
}

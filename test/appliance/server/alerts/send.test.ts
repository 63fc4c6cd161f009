import { afterEach, describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { renderMessage } from '../../../../appliance/server/alerts/message.ts';
import type { HttpTarget } from '../../../../appliance/server/alerts/requests.ts';
import { targetSecrets } from '../../../../appliance/server/alerts/secrets.ts';
import { sendHttp } from '../../../../appliance/server/alerts/send.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';
import { Receiver, targetFor } from '../../../stand-ins/alert-receivers/receiver.ts';
import {
  planted,
  type Vendor,
  vendorPaths,
  vendors,
} from '../../../stand-ins/alert-receivers/vendors.ts';
import { smallSite } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { failedAlert } from './fixture.ts';

const kinds = Object.keys(vendors) as (keyof typeof vendors)[];

const open: Receiver[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((receiver) => receiver.close()));
});

async function receiverOf(kind: keyof typeof vendors, vendor?: Vendor): Promise<Receiver> {
  const receiver = await Receiver.start(kind, vendor);
  open.push(receiver);
  return receiver;
}

const message = renderMessage('vps-1', [failedAlert]);

async function send(
  kind: keyof typeof vendors,
  origin: string,
  change: Readonly<Record<string, string>> = {},
  options: { timeout?: number } = {},
) {
  const { target, files } = targetFor(kind, origin);
  const { alerts } = siteSchema.parse({ ...smallSite, alerts: [target] });
  const host = TemporaryHost.with({ ...files, ...change });
  const [parsed] = alerts as [HttpTarget];
  const secrets = await targetSecrets(host, parsed);
  return await sendHttp(parsed, secrets, message, { env: {} }, options);
}

/** Returns everything that a rejected promise may show to a user or write to a log. */
async function errorOf(sending: Promise<unknown>) {
  const error: unknown = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const fields = error as { code: string; message: string; hint?: string; retriable: boolean };
  const shown = JSON.stringify([fields.code, fields.message, fields.hint, String(error)]);
  for (const secret of Object.values(planted)) expect(shown).not.toContain(secret);
  return fields;
}

describe.each(kinds)('the stand-in for %s', (kind) => {
  it('accepts the message, as the vendor documents it', async () => {
    const receiver = await receiverOf(kind);
    await send(kind, receiver.origin);
    expect(receiver.accepted).toEqual([message.text]);
  });

  it('causes an error without secrets when it rejects the secret', async () => {
    const receiver = await receiverOf(kind);
    const { files } = targetFor(kind, receiver.origin);
    const [[file = '', value = '']] = Object.entries(files) as [[string, string]];
    const wrong = value.replace(/\n$/, 'x\n');
    const error = await errorOf(send(kind, receiver.origin, { [file]: wrong }));
    expect(['ALERT_FAILED', 'HTTP_STATUS']).toContain(error.code);
    expect(error).toMatchObject({ retriable: false, hint: expect.stringMatching(/\w/) });
    expect(receiver.accepted).toEqual([]);
  });

  it('refuses a redirect to another host, which would get the secret', async () => {
    const elsewhere = await receiverOf('webhook');
    const server = await redirectTo(elsewhere.origin);
    const error = await errorOf(send(kind, server.origin));
    expect(error.code).toBe('HTTP_REDIRECT');
    expect(elsewhere.received).toEqual([]);
    await server.close();
  });

  it('retries a message later after status 429', async () => {
    const limited: Vendor = () => ({
      status: 429,
      body: { ok: false, error_code: 429, parameters: { retry_after: 90 } },
    });
    const receiver = await receiverOf(kind, limited);
    const error = await errorOf(send(kind, receiver.origin));
    expect(error).toMatchObject({ code: 'HTTP_STATUS', retriable: true });
    expect(receiver.received).toHaveLength(1);
  });

  it('may repeat the request in its response, which is not shown', async () => {
    const echo: Vendor = ({ url, body }) => ({ status: 500, body: `${url} ${body}` });
    const receiver = await receiverOf(kind, echo);
    const error = await errorOf(send(kind, receiver.origin));
    expect(error).toMatchObject({ code: 'HTTP_STATUS', retriable: true });
  });
});

describe('a signed message', () => {
  it.each(['feishu', 'dingtalk'] as const)(
    'reports that %s rejects a message signed with another secret',
    async (kind) => {
      const receiver = await receiverOf(kind);
      const file = `etc/landfall/secrets/alert-${kind}-sign`;
      const error = await errorOf(send(kind, receiver.origin, { [file]: 'SECother\n' }));
      expect(error).toMatchObject({
        code: 'ALERT_FAILED',
        hint: expect.stringContaining('signing'),
      });
      expect(receiver.accepted).toEqual([]);
    },
  );
});

describe('PushPlus', () => {
  // Regression: more requests on the same day extend the block of the account.
  it('retries a message of a blocked account later', async () => {
    const receiver = await receiverOf('pushplus', () => ({ status: 200, body: { code: 900 } }));
    const error = await errorOf(send('pushplus', receiver.origin));
    expect(error).toMatchObject({ code: 'ALERT_FAILED', retriable: true });
  });
});

describe('a hostile receiver', () => {
  it('with an endless response ends, with bounded memory', async () => {
    const server = await endless();
    const before = process.memoryUsage().rss;
    await send('wecom', server.origin).catch(() => {});
    expect(process.memoryUsage().rss - before).toBeLessThan(64e6);
    expect(server.sent()).toBeLessThan(32e6);
    await server.close();
  });

  it('that does not respond causes a timeout', async () => {
    const server = await silent();
    const error = await errorOf(send('slack', server.origin, {}, { timeout: 200 }));
    expect(error).toMatchObject({ code: 'NETWORK_TIMEOUT', retriable: true });
    await server.close();
  });

  it('cannot delay the next message for more than a day', async () => {
    const receiver = await receiverOf('telegram', () => ({
      status: 429,
      body: { ok: false, error_code: 429, parameters: { retry_after: 1e9 } },
    }));
    await expect(send('telegram', receiver.origin)).rejects.toMatchObject({
      retryAfterMs: 24 * 3600 * 1000,
    });
  });
});

describe('the URL of a target', () => {
  const file = 'etc/landfall/secrets/alert-slack-url';

  it.each([
    'http://hooks.example.com',
    'ftp://127.0.0.1',
    'https://user:password@127.0.0.1',
    'nonsense',
  ])('rejects the URL of a target without showing it: %s', async (origin) => {
    const url = `${origin}${vendorPaths.slack}`;
    const error = await errorOf(send('slack', origin, { [file]: url }));
    expect(error).toMatchObject({ code: 'ALERT_FAILED', retriable: false });
  });
});

/** Starts a server that redirects every request. */
async function redirectTo(origin: string) {
  return await FaultyServer.start(({ request, response }) => {
    response.writeHead(307, { location: `${origin}${request.url}` }).end();
  });
}

/** Starts a server that never ends its response. */
async function endless() {
  let sent = 0;
  const server = await FaultyServer.start(({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const more = (): void => {
      if (response.destroyed) return;
      sent += chunk.length;
      if (response.write(chunk)) setImmediate(more);
      else response.once('drain', more);
    };
    more();
  });
  return { origin: server.origin, sent: () => sent, close: () => server.close() };
}

/** Starts a server that never responds. */
async function silent() {
  return await FaultyServer.start(() => {});
}

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#http/client.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { redirect, serve, status } from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';

const content = Buffer.from('content');
let origin: FaultyServer;
let otherOrigin: FaultyServer;
let client: HttpClient;

beforeEach(async () => {
  origin = await FaultyServer.start({});
  otherOrigin = await FaultyServer.start({ '/blob': serve(content) });
  client = new HttpClient({ env: {} });
});

afterEach(async () => {
  await client.close();
  await origin.close();
  await otherOrigin.close();
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('follows a redirect with status %i', async (code) => {
    origin.answer({ '/a': redirect('/b?c=d', code), '/b': serve(content) });
    const response = await client.send({ url: origin.url('/a') });
    expect(response.url.href).toBe(`${origin.origin}/b?c=d`);
    expect(await response.bytes(10)).toEqual(content);
  });

  it('keeps Range and Accept for another origin', async () => {
    origin.answer({ '/a': redirect(otherOrigin.url('/blob')) });
    const headers = { range: 'bytes=3-', accept: 'application/octet-stream' };
    const response = await client.send({ url: origin.url('/a'), headers });
    expect(response.status).toBe(206);
    expect((await response.bytes(10)).toString()).toBe('tent');
    expect(otherOrigin.seen()[0]?.headers).toMatchObject(headers);
  });

  it('keeps the method HEAD', async () => {
    origin.answer({ '/a': redirect(otherOrigin.url('/blob'), 303) });
    await client.send({ url: origin.url('/a'), method: 'HEAD' });
    expect(otherOrigin.seen()[0]?.method).toBe('HEAD');
  });

  it('without a Location is returned', async () => {
    origin.answer({ '/a': status(302) });
    expect((await client.send({ url: origin.url('/a') })).status).toBe(302);
  });

  it('with status 304 or 300 is returned', async () => {
    origin.answer({ '/a': status(300, { location: '/b' }) });
    expect((await client.send({ url: origin.url('/a') })).status).toBe(300);
  });
});

describe('credentials', () => {
  const authorization = 'Bearer secret';

  it('keeps credentials within their origin', async () => {
    origin.answer({ '/a': redirect('/b'), '/b': status(200) });
    await client.send({ url: origin.url('/a'), authorization });
    expect(origin.seen('/b')[0]?.headers.authorization).toBe(authorization);
  });

  it('sends no credentials to another origin, regardless of how they were given', async () => {
    origin.answer({ '/a': redirect(otherOrigin.url('/blob')) });
    const headers = { Authorization: 'Basic c2VjcmV0', Cookie: 'session=1' };
    for (const request of [{ authorization }, { headers }, { authorization, headers }]) {
      const response = await client.send({ url: origin.url('/a'), ...request });
      await response.discard();
    }
    expect(otherOrigin.seen()).toHaveLength(3);
    for (const seen of otherOrigin.seen()) {
      expect(seen.headers.authorization).toBeUndefined();
      expect(seen.headers.cookie).toBeUndefined();
    }
  });

  it('sends no credentials again when a chain of redirects returns to their origin', async () => {
    origin.answer({ '/a': redirect(otherOrigin.url('/back')), '/b': status(200) });
    otherOrigin.answer({ '/back': redirect(origin.url('/b')) });
    await client.send({ url: origin.url('/a'), authorization });
    expect(origin.seen('/a')[0]?.headers.authorization).toBe(authorization);
    expect(origin.seen('/b')[0]?.headers.authorization).toBeUndefined();
  });

  it('sends no credentials to another port', async () => {
    origin.answer({ '/a': redirect(otherOrigin.url('/blob')) });
    expect(origin.url('/').hostname).toBe(otherOrigin.url('/').hostname);
    await (await client.send({ url: origin.url('/a'), authorization })).discard();
    expect(otherOrigin.seen()[0]?.headers.authorization).toBeUndefined();
  });

  it('in the URL of a redirect are not used', async () => {
    const target = otherOrigin.url('/blob');
    target.username = 'eve';
    target.password = 'word';
    origin.answer({ '/a': redirect(target) });
    const response = await client.send({ url: origin.url('/a') });
    await response.discard();
    expect(response.url.href).toBe(`${otherOrigin.origin}/blob`);
    expect(otherOrigin.seen()[0]?.headers.authorization).toBeUndefined();
  });
});

describe('a rejected redirect', () => {
  const refused = async (message: string) => {
    await expect(client.send({ url: origin.url('/a') })).rejects.toMatchObject({
      code: 'HTTP_REDIRECT',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('login page'),
    });
  };

  it('leads to itself', async () => {
    origin.answer({ '/a': redirect('/a') });
    await refused('is part of a loop');
    expect(origin.seen()).toHaveLength(1);
  });

  it('rejects a redirect that is part of a longer loop', async () => {
    origin.answer({ '/a': redirect('/b'), '/b': redirect('/c'), '/c': redirect('/a#x') });
    await refused('is part of a loop');
    expect(origin.seen()).toHaveLength(3);
  });

  it('rejects the sixth hop of a redirect', async () => {
    origin.answer(({ response, url }) => {
      response.writeHead(302, { location: `${url.pathname}a` }).end();
    });
    await refused('more than 5 hops');
    expect(origin.seen()).toHaveLength(6);
  });

  it.each(['ftp://127.0.0.1/x', 'file:///etc/passwd', 'data:,x', 'http://[broken'])(
    'leads to %s',
    async (location) => {
      origin.answer({ '/a': redirect(location) });
      await refused('invalid URL');
    },
  );

  it('leads from https to http, and the error shows no secret of either URL', async () => {
    const authority = new CertificateAuthority();
    const secure = await FaultyServer.start({}, { tls: authority.issue() });
    secure.answer({ '/a': redirect(otherOrigin.url('/blob?signature=secret')) });
    const trusting = new HttpClient({ env: {}, ca: authority.cert });
    const refusal = await trusting.send({ url: secure.url('/a?token=secret') }).then(
      () => undefined,
      (error: Error) => error,
    );
    expect(refusal).toMatchObject({ code: 'HTTP_REDIRECT' });
    expect(refusal?.message).toBe(
      `redirect rejected: ${secure.origin}/a leads from https to http (${otherOrigin.origin}/blob)`,
    );
    expect(otherOrigin.seen()).toHaveLength(0);
    await trusting.close();
    await secure.close();
  });
});

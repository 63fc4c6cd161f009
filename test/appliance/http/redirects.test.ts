import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#http/client.ts';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { redirect, serve, status } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';

const content = Buffer.from('content');
let here: FaultyServer;
let elsewhere: FaultyServer;
let client: HttpClient;

beforeEach(async () => {
  here = await FaultyServer.start({});
  elsewhere = await FaultyServer.start({ '/blob': serve(content) });
  client = new HttpClient({ env: {} });
});

afterEach(async () => {
  await client.close();
  await here.close();
  await elsewhere.close();
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('is followed with status %i', async (code) => {
    here.answer({ '/a': redirect('/b?c=d', code), '/b': serve(content) });
    const response = await client.request({ url: here.url('/a') });
    expect(response.url.href).toBe(`${here.origin}/b?c=d`);
    expect(await response.bytes(10)).toEqual(content);
  });

  it('keeps Range and Accept on the way to another origin', async () => {
    here.answer({ '/a': redirect(elsewhere.url('/blob')) });
    const headers = { range: 'bytes=3-', accept: 'application/octet-stream' };
    const response = await client.request({ url: here.url('/a'), headers });
    expect(response.status).toBe(206);
    expect((await response.bytes(10)).toString()).toBe('tent');
    expect(elsewhere.seen()[0]?.headers).toMatchObject(headers);
  });

  it('stays HEAD', async () => {
    here.answer({ '/a': redirect(elsewhere.url('/blob'), 303) });
    await client.request({ url: here.url('/a'), method: 'HEAD' });
    expect(elsewhere.seen()[0]?.method).toBe('HEAD');
  });

  it('without a Location is the final answer', async () => {
    here.answer({ '/a': status(302) });
    expect((await client.request({ url: here.url('/a') })).status).toBe(302);
  });

  it('of status 304 or 300 is the final answer', async () => {
    here.answer({ '/a': status(300, { location: '/b' }) });
    expect((await client.request({ url: here.url('/a') })).status).toBe(300);
  });
});

describe('credentials', () => {
  const authorization = 'Bearer secret';

  it('follow a redirect within their origin', async () => {
    here.answer({ '/a': redirect('/b'), '/b': status(200) });
    await client.request({ url: here.url('/a'), authorization });
    expect(here.seen('/b')[0]?.headers.authorization).toBe(authorization);
  });

  it('never follow a redirect to another origin, however they were given', async () => {
    here.answer({ '/a': redirect(elsewhere.url('/blob')) });
    const headers = { Authorization: 'Basic c2VjcmV0', Cookie: 'session=1' };
    for (const request of [{ authorization }, { headers }, { authorization, headers }]) {
      const response = await client.request({ url: here.url('/a'), ...request });
      await response.discard();
    }
    expect(elsewhere.seen()).toHaveLength(3);
    for (const seen of elsewhere.seen()) {
      expect(seen.headers.authorization).toBeUndefined();
      expect(seen.headers.cookie).toBeUndefined();
    }
  });

  it('are not taken up again when a chain returns to their origin', async () => {
    here.answer({ '/a': redirect(elsewhere.url('/back')), '/b': status(200) });
    elsewhere.answer({ '/back': redirect(here.url('/b')) });
    await client.request({ url: here.url('/a'), authorization });
    expect(here.seen('/a')[0]?.headers.authorization).toBe(authorization);
    expect(here.seen('/b')[0]?.headers.authorization).toBeUndefined();
  });

  it('count another port as another origin', async () => {
    here.answer({ '/a': redirect(elsewhere.url('/blob')) });
    expect(here.url('/').hostname).toBe(elsewhere.url('/').hostname);
    await (await client.request({ url: here.url('/a'), authorization })).discard();
    expect(elsewhere.seen()[0]?.headers.authorization).toBeUndefined();
  });

  it('in the URL of a redirect are not used', async () => {
    const target = elsewhere.url('/blob');
    target.username = 'eve';
    target.password = 'word';
    here.answer({ '/a': redirect(target) });
    const response = await client.request({ url: here.url('/a') });
    await response.discard();
    expect(response.url.href).toBe(`${elsewhere.origin}/blob`);
    expect(elsewhere.seen()[0]?.headers.authorization).toBeUndefined();
  });
});

describe('a redirect that is refused', () => {
  const refused = async (message: string) => {
    await expect(client.request({ url: here.url('/a') })).rejects.toMatchObject({
      code: 'HTTP_REDIRECT',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('login page'),
    });
  };

  it('leads to itself', async () => {
    here.answer({ '/a': redirect('/a') });
    await refused('is part of a loop');
    expect(here.seen()).toHaveLength(1);
  });

  it('leads round over other places', async () => {
    here.answer({ '/a': redirect('/b'), '/b': redirect('/c'), '/c': redirect('/a#x') });
    await refused('is part of a loop');
    expect(here.seen()).toHaveLength(3);
  });

  it('has a sixth hop', async () => {
    here.answer(({ response, url }) => {
      response.writeHead(302, { location: `${url.pathname}a` }).end();
    });
    await refused('more than 5 hops');
    expect(here.seen()).toHaveLength(6);
  });

  it.each(['ftp://127.0.0.1/x', 'file:///etc/passwd', 'data:,x', 'http://[broken'])(
    'leads to %s',
    async (location) => {
      here.answer({ '/a': redirect(location) });
      await refused('invalid URL');
    },
  );

  it('leads from https to http, and shows no secret of either address', async () => {
    const authority = new CertificateAuthority();
    const secure = await FaultyServer.start({}, { tls: authority.issue() });
    secure.answer({ '/a': redirect(elsewhere.url('/blob?signature=secret')) });
    const trusting = new HttpClient({ env: {}, ca: authority.cert });
    const refusal = await trusting.request({ url: secure.url('/a?token=secret') }).then(
      () => undefined,
      (error: Error) => error,
    );
    expect(refusal).toMatchObject({ code: 'HTTP_REDIRECT' });
    expect(refusal?.message).toBe(
      `redirect rejected: ${secure.origin}/a leads from https to http (${elsewhere.origin}/blob)`,
    );
    expect(elsewhere.seen()).toHaveLength(0);
    await trusting.close();
    await secure.close();
  });
});

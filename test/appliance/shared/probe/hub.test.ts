import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseProxy } from '#http/proxy.ts';
import { hubTable, hubUrl, probeHub } from '../../../../appliance/shared/probe/hub.ts';
import { endless } from '../../../faulty-server/faults.ts';
import type { Handler } from '../../../faulty-server/faulty-server.ts';
import { host, ProbeRig } from './rig.ts';

let rig: ProbeRig;
beforeEach(() => {
  rig = new ProbeRig();
});
afterEach(() => rig.close());

const token = 'hf_secret0123456789';
const model = 'org/tiny-model';

/** A strict hub: it checks the method, the token and the body. */
const strictHub: Handler = async ({ request, response }) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const isRight =
    request.method === 'POST' &&
    request.headers.authorization === `Bearer ${token}` &&
    request.headers['content-type'] === 'application/json' &&
    String(Buffer.concat(chunks)) === '{"inputs":"Hello"}';
  response.writeHead(isRight ? 200 : 400).end('[{"label":"POSITIVE"}]');
};

const fails =
  (status: number, body = ''): Handler =>
  ({ response }) =>
    void response.writeHead(status, { location: 'https://elsewhere.test/' }).end(body);

async function asked(base: URL, proxy?: string) {
  const network = await rig.network({}, { connect: 1000, answer: 1000 });
  const request = { base, model, inputs: 'Hello', token };
  return await probeHub(request, network, (url) =>
    proxy === undefined ? undefined : chooseProxy(url, { proxy }),
  );
}

describe('a request to the hub', () => {
  it('sends the token and the input to the hub, and needs no proxy after an answer', async () => {
    const hub = await rig.plain(strictHub);
    const proxy = await rig.httpProxy();
    const report = await asked(hub.url('/hf-inference/'), proxy.url);
    expect(report).toMatchObject({
      url: `${hub.origin}/hf-inference/models/${model}`,
      direct: { outcome: 'answered', status: 200, text: '[{"label":"POSITIVE"}]' },
    });
    expect(report).not.toHaveProperty('proxy');
    expect(proxy.asked).toEqual([]);
    expect(hubTable(report)).toMatch(/\nverdict +the hub works, and its token is valid$/);
  });

  it('goes through the proxy if direct access fails', async () => {
    const hub = await rig.secure(strictHub);
    const proxy = await rig.httpProxy({ names: { [host]: '127.0.0.1' } });
    const report = await asked(new URL(`https://${host}:${hub.url('/').port}`), proxy.url);
    expect(report.direct).toMatchObject({ outcome: 'failed', failure: { step: 'dns' } });
    expect(report.proxy).toMatchObject({ outcome: 'answered' });
    expect(hubTable(report)).toMatch(/is valid through the proxy 127\.0\.0\.1:\d+$/);
  });

  it.each([
    [400, 'request-rejected'],
    [401, 'token-rejected'],
    [403, 'denied'],
    [404, 'model-unknown'],
    [429, 'rate-limited'],
    [451, 'denied'],
    [503, 'loading'],
    [500, 'failed'],
    [302, 'failed'],
  ])('classifies a request to the hub by its status %i: %s', async (status, outcome) => {
    const hub = await rig.plain(fails(status));
    const report = await asked(hub.url('/'));
    expect(report.direct.outcome).toBe(outcome);
    expect(hubTable(report).split('\n').at(-1)).toMatch(/^verdict +\S/);
  });

  it('shows neither the token nor control characters of the response', async () => {
    const hub = await rig.plain(fails(401, `bad ${token}\x1b[2J\n\u202e end`));
    const report = await asked(hub.url('/'));
    expect(report.direct.text).toBe('bad *** end');
  });

  it('does not send the token to the destination of a redirect', async () => {
    const other = await rig.plain(fails(200));
    const hub = await rig.plain(({ response }) => {
      response.writeHead(307, { location: other.origin }).end();
    });
    await asked(hub.url('/'));
    expect(other.seen()).toEqual([]);
  });

  it('reads the beginning of an endless response', async () => {
    const hub = await rig.plain(endless(Buffer.alloc(65_536, 'x')));
    expect((await asked(hub.url('/'))).direct.text).toHaveLength(200);
  });
});

describe('the URL of a model', () => {
  it.each(['../admin', 'a/../b', 'a/b/c', 'a?b', '', '/a', 'a b', 'a%2fb'])(
    'rejects the URL of the model %j',
    (name) => {
      expect(() => hubUrl(new URL('https://hub.test'), name)).toThrow(
        expect.objectContaining({ code: 'USAGE' }),
      );
    },
  );

  it('requires an encrypted URL of a model, except on this machine', () => {
    expect(() => hubUrl(new URL('http://hub.test'), model)).toThrow(/does not encrypt the token/);
    expect(hubUrl(new URL('http://127.0.0.1:8080'), model).port).toBe('8080');
  });
});

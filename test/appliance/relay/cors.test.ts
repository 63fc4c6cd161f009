import { afterEach, describe, expect, it } from 'vitest';
import { RelayRig, relayKey } from './rig.ts';

let rig: RelayRig;
afterEach(() => rig.close());

const origin = 'app://obsidian.md';
const chat = '/v1/chat/completions';

/** Sends what a browser sends before a request of a page. */
function preflight(from = origin, names = 'authorization,content-type, x-stainless-os') {
  const headers = {
    ...{ origin: from, 'access-control-request-method': 'POST' },
    'access-control-request-headers': names,
  };
  return fetch(`${rig.url}${chat}`, { method: 'OPTIONS', headers });
}

const allowed = (answer: Response) => answer.headers.get('access-control-allow-origin');

describe('a page of an allowed origin', () => {
  it('may send its headers, without a key in the preflight', async () => {
    rig = await RelayRig.start({ origins: [origin] });
    const answer = await preflight();
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...{ 'access-control-allow-origin': origin, vary: 'Origin' },
      'access-control-allow-headers': 'authorization,content-type, x-stainless-os',
      'access-control-allow-methods': 'GET, HEAD, POST',
    });
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
    expect(rig.log).toEqual([]);
  });

  it.each([[origin], ['*']])('reads streams and errors with %s', async (origins) => {
    rig = await RelayRig.start({ origins: [origins] });
    const bearer = { authorization: `Bearer ${relayKey}` };
    const stream = await rig.chat('a b', true, {
      headers: { ...bearer, origin, 'content-type': 'application/json' },
    });
    expect(await stream.text()).toContain('[DONE]');
    const answers = [
      stream,
      await rig.ask('/v1/models', { headers: { authorization: 'Bearer wrong', origin } }),
      await rig.ask('/v1/nothing', { headers: { ...bearer, origin } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404]);
    for (const answer of answers) {
      expect(allowed(answer)).toBe(origins);
      expect(answer.headers.get('access-control-expose-headers')).toContain('retry-after');
    }
  });
});

describe('a page of another origin', () => {
  it.each([[[]], [['https://chat.example.com']]])(
    'gets no permission with the origins %j',
    async (origins) => {
      rig = await RelayRig.start({ origins });
      const asked = await preflight();
      expect([asked.status, allowed(asked)]).toEqual([401, null]);
      const headers = { authorization: `Bearer ${relayKey}`, origin };
      const answer = await rig.ask('/v1/models', { headers });
      expect([answer.status, allowed(answer)]).toEqual([200, null]);
    },
  );

  it('gets no header that is no name', async () => {
    rig = await RelayRig.start({ origins: ['*'] });
    const answer = await preflight(origin, 'authorization;x');
    expect(answer.headers.has('access-control-allow-headers')).toBe(false);
  });
});

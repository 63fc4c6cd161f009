import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { json } from './provider.ts';
import { RelayRig } from './rig.ts';

let rig: RelayRig;
beforeEach(async () => {
  rig = await RelayRig.start();
});
afterEach(() => rig.close());

const idOf = (answer: Response) => answer.headers.get('x-request-id');
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('the request id of a response', () => {
  it.each(['/v1/nothing', '/other/v1/models', '/v1/models?'.padEnd(3000, 'x')])(
    'names the log line of an error of the relay: %s',
    async (path) => {
      const answer = await rig.ask(path);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(idOf(answer)).toMatch(uuid);
      expect(rig.log[0]).toMatchObject({ requestId: idOf(answer) });
    },
  );

  it('differs between requests', async () => {
    const ids = [await rig.ask('/v1/nothing'), await rig.ask('/v1/nothing')].map(idOf);
    expect(new Set(ids).size).toBe(2);
  });

  it.each([200, 400])(
    'returns the request id of the provider when the provider responds: %i',
    async (status) => {
      rig.provider.answerNext(json(status, {}, { 'x-request-id': 'req-1' }));
      expect(idOf(await rig.ask('/v1/models'))).toBe('req-1');
      expect(rig.log[0]).not.toHaveProperty('requestId');
    },
  );
});

describe('an encoded model name', () => {
  it('reaches the provider as the client encoded it', async () => {
    rig.provider.answerNext(json(200, { id: 'org/model' }));
    expect((await rig.ask('/v1/models/org%2Fmodel%3A8b')).status).toBe(200);
    expect(rig.provider.asked[0]?.url).toBe('/v1/models/org%2Fmodel%3A8b');
  });
});

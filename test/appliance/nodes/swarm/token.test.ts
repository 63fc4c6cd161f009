import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatToken,
  type NodeToken,
  parseToken,
} from '../../../../appliance/nodes/swarm/token.ts';
import { makeKey, publicKeyOf } from '../../../../appliance/server/host/wireguard/key.ts';
import { errorOf } from '../../../setup/landfall-error.ts';

const now = Date.UTC(2026, 10, 28);
const key = makeKey();
const token: NodeToken = {
  ...{ name: 'gpu1', address: '198.19.253.2', key, peer: publicKeyOf(makeKey()) },
  ...{ host: '203.0.113.10', port: 51820, engine: 11434, docker: 26 },
  swarm: `SWMTKN-1-${'a1'.repeat(25)}-${'b2'.repeat(12)}c`,
  expires: now / 1000 + 3600,
};
const text = formatToken(token);
const refusal = (typed: string, at = now) => errorOf(() => parseToken(typed, at));

describe('the token of a node', () => {
  it('reads it as it was made, also wrapped by a terminal', () => {
    expect(parseToken(text, now)).toEqual(token);
    expect(parseToken(` ${text.slice(0, 70)}\n${text.slice(70)}\n`, now)).toEqual(token);
  });

  it('rejects every typing error', () => {
    const places = fc.integer({ min: 16, max: text.length - 1 });
    const letter = fc.constantFrom(...'aZ3_-');
    fc.assert(
      fc.property(places, letter, (at, other) => {
        fc.pre(text[at] !== other);
        expect(refusal(`${text.slice(0, at)}${other}${text.slice(at + 1)}`).code).toBe(
          'NODE_TOKEN',
        );
      }),
    );
    expect(refusal(text.slice(0, -1)).message).toContain('typing error');
    expect(refusal('').message).toContain('not the token of a node');
  });

  it('says what to do after its end, and about a wrong clock', () => {
    const error = refusal(text, now + 2 * 3600_000);
    expect(error).toMatchObject({
      code: 'NODE_TOKEN',
      message: 'the token ended at 2026-11-28 01:00 UTC',
    });
    expect(error.hint).toContain('sudo landfall node token gpu1');
    expect(error.hint).toContain('clock');
  });

  it('names a token of Docker, and one of another version', () => {
    expect(refusal(token.swarm).message).toContain('of Docker Swarm');
    expect(refusal(text.replace('node-1', 'node-2')).message).toContain('another version');
  });

  it('rejects fields that it does not know, and addresses outside of the Swarm', () => {
    const changed = (fields: object) => refusal(formatToken({ ...token, ...fields }));
    expect(changed({ address: '198.19.253.1' }).message).toBe('the token is not valid');
    expect(changed({ more: 1 }).message).toBe('the token is not valid');
    expect(changed({ host: 'a b' }).message).toBe('the token is not valid');
  });

  it('keeps it out of errors', () => {
    for (const typed of [text.slice(0, -1), text.replace('node-1', 'node-2'), token.swarm]) {
      expect(JSON.stringify(refusal(typed))).not.toContain(typed.slice(20, 60));
    }
  });
});

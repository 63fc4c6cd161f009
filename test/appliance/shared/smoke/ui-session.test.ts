import { describe, expect, it } from 'vitest';
import { insideOf } from '../../../../appliance/shared/smoke/smoke-test.ts';
import { openSession, signIn } from '../../../../appliance/shared/smoke/ui-session.ts';
import { portOf } from './closing-servers.ts';
import { insideTarget } from './inside-target.ts';

/** A chat UI that responds to the sign-ins in turn, and the number of sign-ins that it received. */
async function uiWith(...answers: ReadonlyArray<() => Response>) {
  const pending = [...answers];
  const ui = await portOf(() => pending.shift()?.() ?? new Response(null, { status: 500 }));
  const target = insideTarget({ ports: { ui }, hosts: { docs: 'docs.example.com' } });
  return { target, received: () => answers.length - pending.length };
}

const accepted = () => Response.json({ token: 'a-token', role: 'admin' });
const limited = (seconds: string) => () =>
  Response.json({ detail: 'wait' }, { status: 429, headers: { 'retry-after': seconds } });
const never = async () => {
  throw new Error('waits');
};

describe('the sign-in of the smoke tests', () => {
  it('happens once for all tests of a run', async () => {
    const { target, received } = await uiWith(accepted);
    const tokens = await Promise.all([signIn(target), signIn(target)]);
    expect([...tokens, await signIn(target)]).toEqual(['a-token', 'a-token', 'a-token']);
    expect(received()).toBe(1);
  });

  it('waits as long as the gateway asks, and then tries once more', async () => {
    const { target } = await uiWith(limited('60'), accepted);
    const waits: number[] = [];
    expect(await signIn(target, async (ms) => waits.push(ms))).toBe('a-token');
    expect(waits).toEqual([60_000]);
  });

  it.each([
    ['asks for a longer pause', limited('61')],
    ['names no pause', () => Response.json({ detail: 'wait' }, { status: 429 })],
    ['rejects the password', () => Response.json({ detail: 'wrong' }, { status: 400 })],
  ])('fails at once when the response %s', async (_what, answer) => {
    const { target, received } = await uiWith(answer, accepted);
    await expect(signIn(target, never)).rejects.toThrow(/status 4\d\d instead of 200/);
    expect(received()).toBe(1);
  });

  it('takes a session of the server when the administrator has changed the password', async () => {
    const { target } = await uiWith(() => Response.json({ detail: 'wrong' }, { status: 400 }));
    const inside = { ...insideOf(target), session: async () => 'made without it' };
    const session = await openSession({ ...target, inside }, never);
    expect(session).toEqual({ token: 'made without it', isOutdated: true });
  });

  it('tries the sign-in again in the next test after a failure', async () => {
    const { target } = await uiWith(() => Response.json({}, { status: 400 }), accepted);
    await expect(signIn(target, never)).rejects.toThrow('status 400');
    expect(await signIn(target, never)).toBe('a-token');
  });
});

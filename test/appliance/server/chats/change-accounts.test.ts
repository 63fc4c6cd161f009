import { describe, expect, it } from 'vitest';
import type { Account } from '../../../../appliance/server/chats/accounts.ts';
import { setPassword } from '../../../../appliance/server/chats/change-accounts.ts';
import { portOf } from '../../shared/smoke/closing-servers.ts';

const account = (id: string, role: string): Account => ({
  ...{ id, role, email: `${id}@example.org`, name: id, stamp: `stamp-of-${id}`, lastActive: null },
});
const accounts = [account('ops', 'admin'), account('eve', 'user'), account('bob', 'admin')];

/** Sets a password at a chat UI that returns this. Returns the id in the session, and the request. */
async function changed(id: string, response: Response) {
  const seen: { actor?: unknown; path?: string; body?: unknown } = {};
  const port = await portOf(async (request) => {
    const [, claims = ''] = (request.headers.get('authorization') ?? '').split('.');
    seen.actor = JSON.parse(Buffer.from(claims, 'base64url').toString()).id;
    seen.path = new URL(request.url).pathname;
    seen.body = await request.json();
    return response;
  });
  const found = accounts.find((each) => each.id === id) ?? account(id, 'user');
  const base = `http://127.0.0.1:${port}`;
  await setPassword({ base, secret: 'key', accounts, account: found, password: 'My-own-1' });
  return seen;
}

describe('setPassword', () => {
  it.each([
    ['ops', 'ops'],
    ['eve', 'ops'],
    ['bob', 'ops'],
  ])('changes %s as %s', async (id, actor) => {
    expect(await changed(id, Response.json({}))).toEqual({
      ...{ actor, path: `/api/v1/users/${id}/update` },
      body: { password: 'My-own-1' },
    });
  });

  it('prints the reason of a rejection as one plain line', async () => {
    const detail = 'too\n\u001b[31msimple';
    await expect(changed('eve', Response.json({ detail }, { status: 400 }))).rejects.toMatchObject({
      code: 'USAGE',
      message: 'the chat UI rejects the password: too simple',
    });
  });

  it.each([403, 422, 500])('does not repeat a response of status %d', async (status) => {
    const detail = [{ input: 'My-own-1' }];
    const error = await changed('eve', Response.json({ detail }, { status })).catch(
      (cause) => cause,
    );
    expect(error).toMatchObject({ code: 'HTTP_STATUS' });
    expect(JSON.stringify([error.message, error.hint])).not.toContain('My-own-1');
  });

  it('fails if the chat UI does not respond', async () => {
    const change = { base: 'http://127.0.0.1:9', secret: 'key', accounts, password: 'My-own-1' };
    await expect(setPassword({ ...change, account: account('eve', 'user') })).rejects.toMatchObject(
      {
        code: 'STACK_UNHEALTHY',
      },
    );
  });
});

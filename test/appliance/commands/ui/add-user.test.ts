import { describe, expect, it, vi } from 'vitest';
import { addUser } from '../../../../appliance/commands/ui/add-user.ts';
import { uiServer, withTerminal } from './ui-server.ts';

const typed = vi.hoisted(() => ({ values: [] as string[] }));
vi.mock('../../../../appliance/commands/read-hidden.ts', () => ({
  readHidden: async () => typed.values.shift() ?? '',
}));

const terminal = withTerminal(typed);
const user = { role: 'user' } as const;

describe('landfall ui users add', () => {
  it('adds an account that can sign in, and prints its password once', async () => {
    const { ui, host, context } = await uiServer(terminal.data);
    await addUser(context, 'anna@example.org', user);
    const password = terminal.password();
    expect(await ui.signIn({ email: 'anna@example.org', password })).toBeDefined();
    expect(terminal.printed.at(-1)).toBe('It is not shown again.');
    expect([...host.ran, ...host.inputs].join('\n')).not.toContain(password);
    const { body } = await ui.call('/api/v1/users/?page=1', await ui.signIn());
    expect(body.users).toContainEqual(expect.objectContaining({ name: 'anna', role: 'user' }));
  });

  it('adds an administrator with a name and a password that is typed', async () => {
    const { ui, context } = await uiServer(terminal.data);
    typed.values = ['My-own-1-word', 'My-own-1-word'];
    await addUser(context, 'anna@example.org', { role: 'admin', name: 'Anna L.', ask: true });
    expect(terminal.printed.join('\n')).not.toContain('My-own');
    const { body } = await ui.call('/api/v1/users/?page=1', await ui.signIn());
    expect(body.users).toContainEqual(expect.objectContaining({ name: 'Anna L.', role: 'admin' }));
  });

  it('names the command for an account that exists already', async () => {
    const { context } = await uiServer(terminal.data);
    await expect(addUser(context, 'OPS@example.org', user)).rejects.toMatchObject({
      code: 'USAGE',
      hint: 'Set a new password with `sudo landfall ui password OPS@example.org`.',
    });
  });

  it.each(['anna', 'anna@desk', '-x@example.org', 'a b@example.org'])(
    'rejects the address %s before anything else',
    async (email) => {
      const { ui, context } = await uiServer(terminal.data);
      await expect(addUser(context, email, user)).rejects.toMatchObject({ code: 'USAGE' });
      const { body } = await ui.call('/api/v1/users/?page=1', await ui.signIn());
      expect(body.total).toBe(1);
    },
  );

  it('prints no password into a file, and adds nothing', async () => {
    const { ui, context } = await uiServer(terminal.data);
    process.stdout.isTTY = false;
    await expect(addUser(context, 'anna@example.org', user)).rejects.toMatchObject({
      message: 'standard output is not a terminal',
    });
    const { body } = await ui.call('/api/v1/users/?page=1', await ui.signIn());
    expect(body.total).toBe(1);
  });

  it('rejects a password that breaks the rules of the chat UI', async () => {
    const { context } = await uiServer(terminal.data);
    typed.values = ['short', 'short'];
    await expect(
      addUser(context, 'anna@example.org', { ...user, ask: true }),
    ).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('the chat UI rejects the account: '),
    });
  });
});

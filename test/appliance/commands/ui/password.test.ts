import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { changePassword, makePassword } from '../../../../appliance/commands/ui/password.ts';
import { secretsFolder, uiServer, withTerminal } from './ui-server.ts';

const typed = vi.hoisted(() => ({ values: [] as string[] }));
vi.mock('../../../../appliance/commands/read-hidden.ts', () => ({
  readHidden: async () => typed.values.shift() ?? '',
}));

const terminal = withTerminal(typed);
type Server = Awaited<ReturnType<typeof uiServer>>;

const stored = ({ host }: Server) =>
  readFileSync(host.path(secretsFolder, 'WEBUI_ADMIN_PASSWORD'), 'utf8').trim();
const rendered = ({ host }: Server) => host.path('var/lib/landfall/stack/ui/secrets.env');
/** Returns whether an account can sign in. */
const signsIn = async ({ ui }: Server, email: string, password: string) =>
  (await ui.signIn({ email, password })) !== undefined;

describe('landfall ui password', () => {
  it('sets a generated password for the oldest administrator, ends sessions, and stores it', async () => {
    const server = await uiServer(terminal.data);
    const session = await server.ui.signIn();
    await changePassword(server.context, undefined, { yes: true });
    const made = terminal.password();
    expect(await signsIn(server, 'ops@example.org', made)).toBe(true);
    expect(await signsIn(server, 'ops@example.org', 'the-password')).toBe(false);
    expect((await server.ui.call('/api/v1/auths/', session)).status).toBe(401);
    expect(stored(server)).toBe(made);
    expect(readFileSync(rendered(server), 'utf8')).toContain(`WEBUI_ADMIN_PASSWORD='${made}'`);
    expect(terminal.printed.at(-1)).toBe('To see it again: sudo landfall credentials');
    const { ran, inputs } = server.host;
    expect([...ran, ...inputs].join('\n')).not.toContain(made);
    expect(ran.join('\n')).not.toMatch(/docker (?:compose|exec|restart)/);
  });

  it('sets a password for another account, and keeps the stored one', async () => {
    const server = await uiServer(terminal.data);
    await server.ui.addUser('eve');
    await changePassword(server.context, 'Eve@example.org', { yes: true });
    expect(await signsIn(server, 'eve@example.org', terminal.password())).toBe(true);
    expect(await signsIn(server, 'ops@example.org', 'the-password')).toBe(true);
    expect(stored(server)).toBe('the-password');
    expect(terminal.printed.at(-1)).toBe('It is not shown again.');
  });

  it('sets a password that is typed twice, and neither prints nor stores it', async () => {
    const server = await uiServer(terminal.data);
    typed.values = ['My-own-1-word', 'My-own-1-word'];
    await changePassword(server.context, undefined, { yes: true, ask: true });
    expect(await signsIn(server, 'ops@example.org', 'My-own-1-word')).toBe(true);
    expect(terminal.printed.join('\n')).not.toContain('My-own');
    expect(terminal.printed.at(-1)).toContain('still shows the earlier password');
    expect(stored(server)).toBe('the-password');
    expect(existsSync(rendered(server))).toBe(false);
  });

  it.each([
    [['My-own-1-word', 'My-own-2-word'], 'the two passwords differ'],
    [['', ''], 'the password is empty'],
    [['short-1A'.slice(1), 'short-1A'.slice(1)], 'Use at least 8 characters'],
    [[`Aa1-${'x'.repeat(69)}`, `Aa1-${'x'.repeat(69)}`], 'too long'],
  ])('changes nothing for the passwords %j', async (values, reason) => {
    const server = await uiServer(terminal.data);
    typed.values = values;
    const change = changePassword(server.context, undefined, { yes: true, ask: true });
    await expect(change).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(reason),
    });
    expect(await signsIn(server, 'ops@example.org', 'the-password')).toBe(true);
  });

  it('rejects an unknown account, output to a file, and a question without a terminal', async () => {
    const { context } = await uiServer(terminal.data);
    await expect(changePassword(context, 'a@b.c', { yes: true })).rejects.toMatchObject({
      code: 'USAGE',
      message: 'the chat UI has no account "a@b.c"',
    });
    process.stdin.isTTY = false;
    await expect(changePassword(context, undefined, {})).rejects.toMatchObject({
      hint: expect.stringContaining('--yes'),
    });
    process.stdout.isTTY = false;
    await expect(changePassword(context, undefined, { yes: true })).rejects.toMatchObject({
      message: 'standard output is not a terminal',
    });
  });

  it('changes the oldest account only if it is an administrator', async () => {
    const server = await uiServer(terminal.data);
    await server.ui.addUser('eve');
    server.sql("UPDATE user SET created_at = 1 WHERE name = 'eve'");
    await expect(
      changePassword(server.context, 'eve@example.org', { yes: true }),
    ).rejects.toMatchObject({ code: 'STATE_INVALID' });
  });

  it('names the remedy if the chat UI runs with another key', async () => {
    const { context } = await uiServer(terminal.data, 'another-key');
    await expect(changePassword(context, undefined, { yes: true })).rejects.toMatchObject({
      code: 'HTTP_STATUS',
      hint: expect.stringContaining('sudo landfall first-boot'),
    });
  });

  it('generates passwords that the rules of the chat UI accept', () => {
    for (let count = 0; count < 200; count += 1) {
      expect(makePassword()).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?:\w{6}-){3}\w{6}$/);
    }
  });
});

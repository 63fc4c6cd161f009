import { describe, expect, it, vi } from 'vitest';
import { awaitAnswers } from '../../../../appliance/commands/daily/answers.ts';
import { contextFor } from '../../context.ts';
import { portOf } from '../../shared/smoke/closing-servers.ts';
import { TemporaryHost } from '../../temporary-host.ts';

/** A server whose chat UI writes so many answers, one number for each time that it is asked. */
async function serverThatWrites(...counts: readonly number[]) {
  let asked = 0;
  const ui = await portOf((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/v1/auths/signin') return Response.json({ token: 'a', role: 'admin' });
    if (pathname !== '/api/tasks' || request.headers.get('authorization') !== 'Bearer a')
      return new Response('', { status: 404 });
    const count = counts[Math.min(asked, counts.length - 1)] ?? 0;
    asked += 1;
    return Response.json({ tasks: Array.from({ length: count }, (_, index) => `task-${index}`) });
  });
  const host = TemporaryHost.with({}, { 'docker inspect': '10.0.0.2\n' });
  return contextFor(host, { site: { ports: { ui }, hosts: { docs: 'docs.example.com' } } });
}

/** Returns what is said before these components stop, and the pauses in milliseconds. */
async function waitOf(context: ReturnType<typeof contextFor>, changed: readonly string[]) {
  const [said, pauses]: [string[], number[]] = [[], []];
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const wait = async (ms: number) => {
    now += ms;
    pauses.push(ms);
  };
  await awaitAnswers(context, changed, (line) => said.push(line), wait);
  clock.mockRestore();
  return { said, pauses };
}

describe('a command that restarts the chat UI', () => {
  it('waits until the answers have ended, and says how many', async () => {
    const context = await serverThatWrites(2, 1, 0);
    const { said, pauses } = await waitOf(context, ['ui']);
    expect(said).toEqual(['2 answers are being written; waiting up to 60 s']);
    expect(pauses).toEqual([1000, 1000]);
  });

  it('interrupts answers after a minute, and says so', async () => {
    const { said, pauses } = await waitOf(await serverThatWrites(1), ['engine', 'gateway']);
    expect(said).toEqual([
      '1 answer is being written; waiting up to 60 s',
      '1 answer is interrupted',
    ]);
    expect(pauses).toHaveLength(60);
  });

  it('waits for no answer before a component stops that the chat UI does not need', async () => {
    const { said } = await waitOf(await serverThatWrites(1), ['chat', 'gateway', 'tinyproxy']);
    expect(said).toEqual([]);
  });

  it('does not wait for a chat UI that does not respond', async () => {
    const host = TemporaryHost.with({}, { 'docker inspect': '10.0.0.2\n' });
    const context = contextFor(host, {
      site: { ports: { ui: 1024 }, hosts: { docs: 'docs.example.com' } },
    });
    expect(await waitOf(context, ['ui'])).toEqual({ said: [], pauses: [] });
  });
});

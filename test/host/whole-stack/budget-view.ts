import { expect, it } from 'vitest';
import { keys, type TerminalRun } from '../../pty/terminal.ts';
import { names, type WholeStack } from './whole-stack.ts';

const folder = '/var/lib/landfall/relay-usage';
const budget = 400;

/**
 * Tests that a relay key that was stolen stops at its budget, and stays stopped. The tests depend on their
 * order, and the last one reboots the server.
 * @param start starts a command of `landfall` on a terminal of the server
 */
export function itHoldsBudgets(
  stack: () => WholeStack,
  start: (command: string) => TerminalRun,
): void {
  let key: string;
  const host = () => stack().premises.host;

  /** Sends a request with the key over the gateway, and returns the status and the body. */
  async function ask(): Promise<{ status: number; body: string }> {
    const body = JSON.stringify({
      ...{ model: 'stand-in-1', max_tokens: 100 },
      messages: [{ role: 'user', content: 'Hi' }],
    });
    const text = await host().output(
      [
        ...['curl', '-sk', '--resolve', `${names.relay}:443:127.0.0.1`, '-w', '\\n%{http_code}'],
        ...['-H', 'content-type: application/json', '-d', body, '-K', '-'],
        `https://${names.relay}/openai/v1/chat/completions`,
      ],
      { input: `header = "Authorization: Bearer ${key}"\n` },
    );
    const [status] = /\d+$/.exec(text) ?? [];
    return { status: Number(status), body: text };
  }

  async function used(): Promise<number> {
    const { accounts } = JSON.parse(await host().output('landfall relay usage --json'));
    return accounts[0].tokens;
  }

  const waitForRelay = () =>
    host().waitFor(
      '[ "$(docker inspect --format {{.State.Health.Status}} landfall-relay)" = healthy ]',
      300,
    );

  it('adds a key with a budget on a terminal, after a question', async () => {
    const refused = start(`relay key add thief --tokens-per-day ${budget}`);
    await refused.shows('Apply it? [y/N]');
    refused.type(`n${keys.enter}`);
    expect((await refused.end()).text).toContain('Nothing was changed.');
    const run = start(`relay key add thief --tokens-per-day ${budget} --yes`);
    const { status, text } = await run.end();
    expect(status, text).toBe(0);
    key = /Relay key thief: (\S+)/.exec(text)?.[1] ?? '';
    expect(key).toMatch(/^\w{43}$/);
  });

  it('stops the key at its budget, for many requests at once', async () => {
    await waitForRelay();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(await used()).toBeLessThanOrEqual(budget);
    do answers.push(await ask());
    while (answers.at(-1)?.status === 200);
    const refused = answers.at(-1);
    expect(refused?.status).toBe(400);
    expect(refused?.body).toContain('relay_budget_exceeded');
    expect(refused?.body).toContain('thief');
    const tokens = await used();
    process.stderr.write(`  budget ${budget}: used ${tokens}, over by ${tokens - budget}\n`);
    expect(tokens).toBeLessThanOrEqual(budget);
    // The provider reports seven tokens for each answer.
    expect(tokens).toBe(7 * answers.filter(({ status }) => status === 200).length);
  });

  it('keeps it stopped after a restart of the relay and after a reboot', async () => {
    const before = await used();
    await host().output('docker restart landfall-relay');
    await waitForRelay();
    expect(await ask()).toMatchObject({ status: 400 });
    await host().reboot();
    await host().waitFor('docker inspect landfall-relay >/dev/null', 300);
    await waitForRelay();
    expect(await ask()).toMatchObject({ status: 400 });
    expect(await used()).toBeGreaterThanOrEqual(before);
  });

  it('lets it work again in the next window', async () => {
    // The files say that it all happened yesterday.
    const [today, yesterday] = [0, 1].map((days) =>
      new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10),
    );
    await host().output('docker stop landfall-relay');
    await host().output(`sed -i 's/${today}/${yesterday}/g' ${folder}/*`);
    await host().output('docker start landfall-relay');
    await waitForRelay();
    expect(await ask()).toMatchObject({ status: 200 });
  });

  it('rejects the key after it was removed', async () => {
    const { status, text } = await start('relay key remove thief --yes').end();
    expect(status, text).toBe(0);
    await waitForRelay();
    expect(await ask()).toMatchObject({ status: 401 });
  });
}

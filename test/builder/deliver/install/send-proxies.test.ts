import { expect, it } from 'vitest';
import { sendProxies } from '../../../../builder/deliver/install/install.ts';
import type { RootShell } from '../../../../builder/deliver/ssh/root.ts';

const proxies = { text: 'proxies: []', strict: false };

/** A server on which the import ends in this way. */
const server = (code: number, stdout: string, stderr = '') =>
  ({ run: async () => ({ code, stdout, stderr }) }) as unknown as RootShell;

it('shows what the server imported and left out, without escape sequences', async () => {
  const lines: string[] = [];
  const printed = 'proxies    3 (3 ss)\nleft out   1: 1 × \u001b[31mtype\u001b[0m\n\n';
  await sendProxies(server(0, printed), proxies, (line) => lines.push(line));
  expect(lines).toEqual(['proxies 3 (3 ss)', 'left out 1: 1 × type']);
});

it('fails with what the server answers', async () => {
  const sent = sendProxies(server(3, '', 'error CONFIG_INVALID: no proxy\n'), proxies, () => {});
  await expect(sent).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    problems: [{ message: 'error CONFIG_INVALID: no proxy' }],
  });
});

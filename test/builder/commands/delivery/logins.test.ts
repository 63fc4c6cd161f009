import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proxiesOf } from '../../../../builder/commands/delivery/logins.ts';
import { terminalIn } from '../terminal.ts';

/** What most providers send: a type that is not supported, and rules that need a database. */
const clash = `proxies:
  - { name: a, type: trojan, server: p.example.com, port: 443, password: hunter22 }
  - { name: b, type: ssr, server: p.example.com, port: 443, password: hunter22 }
rules:
  - GEOIP,CN,DIRECT
  - MATCH,a
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-proxies-file-'));
  await writeFile(join(folder, 'proxies.yaml'), clash);
});
afterAll(() => rm(folder, { recursive: true }));

describe('the file of --proxies', () => {
  const read = (flags: { proxies?: string; strict?: boolean }) => {
    const terminal = terminalIn(folder);
    return { terminal, imported: proxiesOf(terminal.context, flags) };
  };

  it('accepts a command without --proxies', async () => {
    expect(await read({}).imported).toBeUndefined();
  });

  it('rejects the file of --proxies with --strict and problem lines before anything is sent', async () => {
    await expect(read({ proxies: 'proxies.yaml', strict: true }).imported).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      hint: expect.stringContaining('without --strict'),
      problems: [
        { message: expect.stringContaining('type'), line: 3 },
        { message: expect.stringContaining('rule GEOIP'), line: 5 },
      ],
    });
  });

  it('sends the file of --proxies unchanged, and prints what the server imports and leaves out', async () => {
    const { terminal, imported } = read({ proxies: 'proxies.yaml' });
    expect(await imported).toEqual({ text: clash, strict: false });
    // The server does not use rules, so they are no reason.
    expect(terminal.err()).toBe(
      'proxies   1 (1 trojan)\nleft out  1: 1 × type: unknown value "ssr"\n',
    );
    expect(terminal.err()).not.toContain('hunter22');
  });

  it('must exist', async () => {
    await expect(read({ proxies: 'none.yaml' }).imported).rejects.toMatchObject({
      code: 'FILE_MISSING',
    });
  });
});

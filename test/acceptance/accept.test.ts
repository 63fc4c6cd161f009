import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workFolder } from '../simulator/work-folder.ts';
import { ConsoleLog } from '../vm/machine/console-log.ts';
import { accept } from './accept.ts';
import type { AcceptanceServer } from './acceptance-server.ts';

const done = '[14/15]   smoke: done (3 s)\r\n[15/15]   report: done (1 s)\r\n';
const passed = { name: 'ui', title: 'the chat UI', outcome: 'passed', took: 1 };

/** A server whose console has a text and whose smoke tests have a result. */
async function server(
  text: string,
  smoke: unknown,
  exitCode = 0,
  findings: readonly object[] = [],
): Promise<AcceptanceServer> {
  const path = join(await workFolder(), 'console.log');
  await writeFile(path, text);
  const run = async (command: string) => {
    if (command === 'landfall doctor --json') {
      return { exitCode: 20, stdout: JSON.stringify({ findings }), stderr: '' };
    }
    if (command !== 'landfall smoke --json') {
      return { exitCode: 0, stdout: 'Linux 7.0', stderr: '' };
    }
    return {
      exitCode,
      stdout: typeof smoke === 'string' ? smoke : JSON.stringify(smoke),
      stderr: '',
    };
  };
  return { console: new ConsoleLog(path), run, remove: async () => {} };
}

describe('the acceptance of a release', () => {
  it('returns the smoke tests of a server that is up', async () => {
    const skipped = { ...passed, name: 'tls', outcome: 'skipped' };
    const unreachable = { code: 'PROVIDER_UNREACHABLE', subject: 'openai' };
    const { smoke, facts } = await accept(
      await server(done, [passed, skipped], 0, [unreachable]),
      10,
    );
    expect(smoke.map(({ name }) => name)).toEqual(['ui', 'tls']);
    expect(facts).toBe('Linux 7.0');
  });

  it('fails with the stage that failed', async () => {
    const boot = '[ 8/15]   images: FAILED (2 s)\r\nerror IMAGE_NOT_FOUND\r\n';
    await expect(accept(await server(boot, []), 10)).rejects.toThrow(
      /images: FAILED.*IMAGE_NOT_FOUND/s,
    );
  });

  it('fails when the machine switches off', async () => {
    const off = { ...(await server('Linux version 6', [])), ended: Promise.resolve() };
    await expect(accept(off, 1)).rejects.toThrow('the machine is off\nLinux version 6');
  });

  it.each([
    ['APPARMOR_DENIED', 'tinyproxy'],
    ['SERVICE_FAILED', 'docker.service'],
  ])('fails after the finding %s', async (code, subject) => {
    const denied = await server(done, [passed], 0, [{ code, subject }]);
    await expect(accept(denied, 10)).rejects.toThrow(`landfall doctor found ${code} ${subject}`);
  });

  it.each([
    ['a failed test', [passed, { ...passed, name: 'relay', outcome: 'failed' }], 11, /relay/],
    ['no test', [], 0, /exit code 0/],
    ['no JSON', 'permission denied', 1, /permission denied/],
    ['another exit code', [passed], 11, /smoke tests failed/],
  ])('fails after %s', async (_name, smoke, exitCode, message) => {
    await expect(accept(await server(done, smoke, exitCode), 10)).rejects.toThrow(message);
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { bundleScripts } from '../../../../builder/bundle/archive/program.ts';
import { workFolder } from '../../../simulator/work-folder.ts';
import { beginStream, event, Provider, providerKey } from '../provider.ts';
import { relayKey } from '../rig.ts';

/** The program of the image, started like in the container. */
let folder: string;
let program: string;
beforeAll(async () => {
  folder = await workFolder();
  program = join(folder, 'relay.mjs');
  await writeFile(program, (await bundleScripts(['relay'])).get('relay')?.bytes ?? '');
});

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

class Program {
  readonly lines: string[] = [];
  errors = '';
  readonly child: ChildProcess;
  readonly #arrived: Array<(line: string) => void> = [];

  constructor(args: readonly string[] = []) {
    const env = { LANDFALL_RELAY_CONFIG: join(folder, 'relay.json') };
    this.child = spawn(process.execPath, [program, ...args], { env, cwd: '/' });
    started.push(this.child);
    createInterface({ input: this.child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      this.lines.push(line);
      this.#arrived.shift()?.(line);
    });
    this.child.stderr?.on('data', (text) => {
      this.errors += text;
    });
  }

  async address(): Promise<string> {
    const line = this.lines[0] ?? (await new Promise((resolve) => this.#arrived.push(resolve)));
    return JSON.parse(line as string).listening;
  }

  async ended(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    const [code] = await once(this.child, 'close');
    return code;
  }
}

async function settings(value: object): Promise<void> {
  await writeFile(join(folder, 'relay.json'), JSON.stringify(value));
}

describe('the program of the relay', () => {
  let provider: Provider;
  const serving = async (listen: object = { host: '127.0.0.1', port: 0 }) => {
    provider = await Provider.start();
    await mkdir(join(folder, 'keys'), { recursive: true });
    await writeFile(join(folder, 'keys', 'openai'), `${providerKey}\n`);
    await settings({
      listen,
      providers: { openai: { base_url: provider.base(), key_file: 'keys/openai' } },
      keys: [{ name: 'me', sha256: sha256Hex(relayKey) }],
    });
    return new Program();
  };
  afterEach(() => provider?.close());

  const headers = { authorization: `Bearer ${relayKey}` };

  it('uses a key from a file beside its settings, and logs each request', async () => {
    const relay = await serving();
    const url = await relay.address();
    const answer = await fetch(`${url}/v1/models`, { headers });
    expect(answer.status).toBe(200);
    await answer.text();
    while (relay.lines.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(JSON.parse(relay.lines[1] ?? '')).toMatchObject({ key: 'me', endpoint: '/models' });
    expect(relay.lines.join() + relay.errors).not.toMatch(/sk-provider|relay-key/);
  });

  it('finishes streams on SIGTERM and accepts no new requests', async () => {
    const relay = await serving();
    const url = await relay.address();
    let finish = () => {};
    provider.answerNext(async (response) => {
      beginStream(response);
      response.write(event({ delta: { content: 'one' } }));
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      response.end('data: [DONE]\n\n');
    });
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    relay.child.kill('SIGTERM');
    await expect(
      (async () => {
        for (;;) await (await fetch(`${url}/health`, { headers: { connection: 'close' } })).text();
      })(),
    ).rejects.toThrow();
    finish();
    expect(await answer.text()).toMatch(/one.*\[DONE\]/s);
    expect(await relay.ended()).toBe(0);
  });

  it.each(['127.0.0.1', '0.0.0.0'])(
    'listens on %s and reports healthy until it stops',
    async (host) => {
      const relay = await serving({ host, port: 0 });
      const port = Number(new URL(await relay.address()).port);
      await settings({ listen: { host, port } });
      expect(await new Program(['health']).ended()).toBe(0);
      relay.child.kill('SIGTERM');
      await relay.ended();
      expect(await new Program(['health']).ended()).toBe(1);
    },
  );

  it.each([
    ['lacks its settings', undefined, 'CONFIG_MISSING'],
    ['lacks a CA file', '{"ca_file":"nowhere.pem"}', 'CONFIG_MISSING'],
    ['has invalid settings', '{"keys":[{"name":"me","key":"in-the-clear"}]}', 'CONFIG_INVALID'],
    ['has broken settings', '{"key":"in-the-clear"', 'CONFIG_SYNTAX'],
  ])('fails with an error when it %s', async (_what, text, code) => {
    if (text === undefined)
      await import('node:fs/promises').then(({ rm }) =>
        rm(join(folder, 'relay.json'), { force: true }),
      );
    else await writeFile(join(folder, 'relay.json'), text);
    const relay = new Program();
    expect(await relay.ended()).toBe(3);
    expect(relay.errors).toContain(`landfall-relay: ${code}`);
    expect(relay.errors).not.toContain('in-the-clear');
  });

  it('fails when its settings are unreadable', async () => {
    await mkdir(join(folder, 'as-folder'), { recursive: true });
    await chmod(folder, 0o755);
    const env = { LANDFALL_RELAY_CONFIG: join(folder, 'as-folder') };
    const child = spawn(process.execPath, [program], { env });
    started.push(child);
    const [code] = await once(child, 'close');
    expect(code).toBe(8);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sha256Hex } from '#contract/trust/digest.ts';
import { bundleScripts } from '../../../builder/bundle/archive/program.ts';
import { providerKey } from './full-provider.ts';

/** Relay keys by what they may do. */
export const relayKeys = {
  any: 'relay-key-any',
  /** One request a minute. */
  slow: 'relay-key-slow',
  /** Bodies of at most 100 bytes. */
  small: 'relay-key-small',
  /** Only the provider `other`. */
  other: 'relay-key-other',
} as const;

export interface RelayProgram {
  /** `http://host:port` */
  readonly url: string;
  /** Everything that it has written. */
  readonly output: () => string;
  close(): Promise<void>;
}

/**
 * Starts the bundled program of the relay's image. `openai` is the provider at a URL, `other` has no
 * key, and nothing listens at `gone`.
 */
export async function startRelayProgram(baseUrl: string): Promise<RelayProgram> {
  return await runRelayProgram(settings(baseUrl));
}

/** Starts the bundled program of the relay's image. The file `key` has the key of the provider. */
export async function runRelayProgram(config: object): Promise<RelayProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-sdk-'));
  const program = join(folder, 'relay.mjs');
  await writeFile(program, (await bundleScripts(['relay'])).get('relay')?.bytes ?? '');
  await writeFile(join(folder, 'key'), providerKey);
  await writeFile(join(folder, 'relay.json'), JSON.stringify(config));
  const child = spawn(process.execPath, [program], {
    env: { LANDFALL_RELAY_CONFIG: join(folder, 'relay.json') },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  await once(reader, 'line');
  return {
    url: JSON.parse(lines[0] ?? '').listening,
    output: () => lines.join('\n'),
    close: async () => {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true });
    },
  };
}

function settings(baseUrl: string): object {
  const { any, slow, small, other } = relayKeys;
  const key = (name: string, value: string) => ({ name, sha256: sha256Hex(value) });
  return {
    listen: { host: '127.0.0.1', port: 0 },
    providers: {
      openai: { base_url: baseUrl, key_file: 'key' },
      other: { base_url: baseUrl, key_file: 'missing' },
      // Port 9 of loopback: the discard service, which no system runs today.
      gone: { base_url: 'http://127.0.0.1:9/v1', key_file: 'key' },
    },
    keys: [
      key('any', any),
      { ...key('slow', slow), limits: { requests_per_minute: 1 } },
      { ...key('small', small), limits: { body_bytes: 100 } },
      { ...key('other', other), providers: ['other'] },
    ],
  };
}

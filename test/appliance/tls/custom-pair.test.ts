import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePair } from '../../../appliance/certificates/make-pair.ts';
import type { Pair } from '../../../appliance/certificates/pair.ts';
import { makeFolder, writeText } from '../../../appliance/host/files.ts';
import { Host } from '../../../appliance/host/host.ts';
import { runCommand } from '../../../appliance/host/run/command.ts';
import { customFolder, customPair } from '../../../appliance/tls/custom-pair.ts';

let host: Host;
beforeEach(async () => {
  host = new Host(await mkdtemp(join(tmpdir(), 'landfall-custom-')), runCommand);
});
afterEach(() => rm(host.root, { recursive: true }));

const pairFor = async (...names: string[]) =>
  await makePair(host, { subject: 'own', names, days: 30 });

/** Installs a pair like an administrator and reads it. */
async function given({ chain, key }: Pair, ...names: string[]) {
  await makeFolder(host, customFolder);
  await writeText(host, `${customFolder}/fullchain.pem`, chain);
  await writeText(host, `${customFolder}/privkey.pem`, key);
  return await customPair(host, names).catch((error: unknown) => error);
}

describe('a custom certificate', () => {
  it('returns no custom certificate while it is missing', async () => {
    expect(await customPair(host, ['chat.example.com'])).toBeUndefined();
  });

  it('accepts a custom certificate that covers every name of the site', async () => {
    const pair = await pairFor('chat.example.com', 'api.example.com');
    expect(await given(pair, 'chat.example.com', 'api.example.com')).toEqual(pair);
  });

  it('rejects a custom certificate for a missing name, with its names', async () => {
    const pair = await pairFor('old.example.com');
    expect(await given(pair, 'chat.example.com')).toMatchObject({
      code: 'TLS_MATERIAL',
      hint: expect.stringContaining('/etc/landfall/tls/fullchain.pem'),
      problems: [
        {
          message: 'the certificate is not valid for chat.example.com',
          hint: 'Use a certificate whose names include chat.example.com; this one is valid for DNS:old.example.com.',
        },
      ],
    });
  });

  it('reports another key of a custom certificate together with all other problems', async () => {
    const { chain } = await pairFor('old.example.com');
    const { key } = await pairFor('chat.example.com');
    expect(await given({ chain, key }, 'chat.example.com')).toMatchObject({
      code: 'TLS_MATERIAL',
      problems: [
        { message: 'the certificate is not valid for chat.example.com' },
        {
          message: 'the private key does not match the certificate',
          hint: expect.stringContaining('Use the private key of this certificate'),
        },
      ],
    });
  });

  it('rejects a custom pair with chain and key swapped, without printing the key', async () => {
    const { chain, key } = await pairFor('chat.example.com');
    const error = await given({ chain: key, key: chain }, 'chat.example.com');
    expect(error).toMatchObject({
      problems: [{ message: 'the chain is not a certificate in PEM' }],
    });
    expect(JSON.stringify(error)).not.toContain(key.split('\n')[1]);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import {
  ensureGatewayPairs,
  sitePairPath,
} from '../../../../appliance/server/certificates/gateway-pairs.ts';
import { authorityFolder } from '../../../../appliance/server/certificates/internal-authority.ts';
import { makePair } from '../../../../appliance/server/certificates/make-pair.ts';
import { checkPair, leafOf, type Pair } from '../../../../appliance/server/certificates/pair.ts';
import { readPair, writePair } from '../../../../appliance/server/certificates/pair-folder.ts';
import { makeFolder, readText, writeText } from '../../../../appliance/server/host/files.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import { runCommand } from '../../../../appliance/server/host/run/command.ts';
import { writeSecret } from '../../../../appliance/server/host/secret-file.ts';
import { secretNames } from '../../../../appliance/stages/secrets/secret-names.ts';
import { recordFailure, storedAttempts } from '../../../../appliance/stages/tls/attempts.ts';
import {
  customFolder,
  customPair,
  ensureCertificate,
} from '../../../../appliance/stages/tls/ensure-certificate.ts';
import { tlsStage } from '../../../../appliance/stages/tls/stage.ts';
import { describeTls, tlsStatus } from '../../../../appliance/stages/tls/status.ts';
import { contextFor } from '../../context.ts';

const name = 'chat.example.com';
const timer = 'etc/systemd/system/landfall-tls.timer';
const published = 'var/lib/landfall/stack/gateway/public/authority.crt';
const reload = 'docker exec landfall-gateway kill -HUP 1';

let root: string;
let ran: string[];
let host: Host;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'landfall-tls-'));
  ran = [];
  host = new Host(root, async (file, args, options) => {
    if (file === 'openssl') return await runCommand(file, args, options);
    const line = [file, ...args].join(' ');
    ran.push(line);
    return { code: 0, stdout: answers[line.split(' ').slice(0, 2).join(' ')] ?? '', stderr: '' };
  });
});
afterEach(() => rm(root, { recursive: true }));

/** Output of commands on the server. */
const answers: Readonly<Record<string, string>> = {
  'ip -json': '[{"ifname":"eth0","addr_info":[{"family":"inet","local":"203.0.114.7"}]}]',
  'docker info': '{"CpuCfsPeriod":true,"CpuCfsQuota":true}',
};

async function serverWith(tls: Record<string, unknown>) {
  const context = contextFor(host, { site: { hosts: { ui: name }, tls } });
  for (const secret of secretNames(context.site)) await writeSecret(host, secret.name, 'secret');
  await ensureGatewayPairs(host, context.site);
  return context;
}

describe('a site with an internal authority', () => {
  it('gets a certificate immediately and reloads the gateway', async () => {
    const context = await serverWith({ mode: 'internal' });
    expect(await ensureCertificate(context)).toEqual({ changed: true, open: [] });
    const pair = await readPair(host, sitePairPath);
    expect(pair && checkPair(pair, [name], new Date())).toEqual([]);
    expect(ran).toContain(reload);
    expect(await readText(host, timer)).toContain('OnCalendar=');
  });

  it('publishes the certificate of its authority, and never the key', async () => {
    await ensureCertificate(await serverWith({ mode: 'internal' }));
    const authority = await readPair(host, authorityFolder);
    expect(await readText(host, published)).toBe(authority?.chain);
    expect(await readText(host, published)).not.toContain('PRIVATE KEY');
  });

  it('sets up an internal authority idempotently', async () => {
    const context = await serverWith({ mode: 'internal' });
    expect(await tlsStage.check(context)).toHaveLength(2);
    await tlsStage.apply(context);
    await tlsStage.prove(context);
    expect(await tlsStage.check(context)).toEqual([]);
    ran.length = 0;
    expect(await ensureCertificate(context)).toEqual({ changed: false, open: [] });
    expect(ran).not.toContain(reload);
  });

  // Regression: after a power failure before the reload, the old certificate stayed until it expired.
  it('reloads the gateway for a certificate that it has not loaded', async () => {
    const context = await serverWith({ mode: 'internal' });
    await ensureCertificate(context);
    await rm(host.path('var/lib/landfall/tls-served'));
    expect(await tlsStage.check(context)).toHaveLength(1);
    ran.length = 0;
    expect(await ensureCertificate(context)).toEqual({ changed: true, open: [] });
    expect(ran).toContain(reload);
  });

  it('gets another certificate of the same authority when forced', async () => {
    const context = await serverWith({ mode: 'internal' });
    await ensureCertificate(context);
    const [before, authority] = [
      await readPair(host, sitePairPath),
      await readPair(host, authorityFolder),
    ];
    expect((await ensureCertificate(context, { force: true })).changed).toBe(true);
    expect(await readPair(host, authorityFolder)).toEqual(authority);
    expect((await readPair(host, sitePairPath))?.chain).not.toBe(before?.chain);
  });

  it('shows the URL and fingerprint of the root', async () => {
    const context = await serverWith({ mode: 'internal' });
    await ensureCertificate(context);
    const status = await tlsStatus(context);
    const fingerprint = leafOf(
      (await readPair(host, authorityFolder))?.chain ?? '',
    )?.fingerprint256;
    const url = `http://${name}/.well-known/landfall/authority.crt`;
    expect(status).toMatchObject({
      mode: 'internal',
      certificate: { names: `DNS:${name}`, trusted: false },
      internal: { url, sha256: fingerprint },
      missing: null,
    });
    // Regression: it looked like a file path.
    expect(describeTls(status)).toContain(`root          ${url}\nSHA-256       ${fingerprint}`);
  });
});

describe('a site with a custom certificate', () => {
  const custom = 'etc/landfall/tls';
  const bought = (names: string[]) => makePair(host, { subject: 'bought', names, days: 90 });

  it('continues without it and shows where to put it', async () => {
    const context = await serverWith({ mode: 'custom' });
    await tlsStage.apply(context);
    await tlsStage.prove(context);
    expect(context.warned).toEqual([
      expect.stringContaining('no certificate in /etc/landfall/tls yet (Put the full chain'),
    ]);
    expect(await readText(host, timer)).toContain('OnUnitInactiveSec=2min');
  });

  it('serves it once it is installed', async () => {
    const context = await serverWith({ mode: 'custom' });
    await ensureCertificate(context);
    const pair = await bought([name]);
    await writePair(host, custom, pair, process.getuid?.() ?? 0);
    expect(await ensureCertificate(context)).toEqual({ changed: true, open: [] });
    expect(await readPair(host, sitePairPath)).toEqual(pair);
    expect((await tlsStatus(context)).missing).toBeNull();
  });

  it('keeps the previous one if the new one is for another name', async () => {
    const context = await serverWith({ mode: 'custom' });
    const before = await readPair(host, sitePairPath);
    await writePair(host, custom, await bought(['other.example.com']), process.getuid?.() ?? 0);
    await tlsStage.apply(context);
    expect(await readPair(host, sitePairPath)).toEqual(before);
    expect(context.warned).toContainEqual(
      expect.stringContaining(`the certificate is not valid for ${name}`),
    );
    expect((await tlsStatus(context)).missing?.problems).toMatchObject([
      { message: `the certificate is not valid for ${name}` },
    ]);
  });
});

describe('a site without TLS', () => {
  it('leaves a site without TLS unchanged', async () => {
    const context = await serverWith({ mode: 'off' });
    expect(await tlsStage.check(context)).toEqual([]);
    await tlsStage.apply(context);
    expect(await readText(host, timer)).toBeUndefined();
  });
});

describe('a site with a rate-limited authority', () => {
  const limited = new LandfallError('ACME_RATE_LIMIT', 'too many', { hint: 'Wait.' });
  const tls = { mode: 'acme', accept_terms: true };
  const none = async () => [];

  it.each([{}, { patient: true }])(
    'sends no request before the retry time: %j',
    async (urgency) => {
      const context = await serverWith(tls);
      await recordFailure(host, limited, { now: new Date() });
      const before = await storedAttempts.read(host);
      const { open } = await ensureCertificate(context, urgency, none);
      expect(open).toMatchObject([{ code: 'ACME_RATE_LIMIT', message: 'too many', hint: 'Wait.' }]);
      // Waiting is not an attempt, so the time must not change.
      expect(await storedAttempts.read(host)).toEqual(before);
    },
  );

  it('continues after that time', async () => {
    const context = await serverWith(tls);
    await recordFailure(host, limited, { now: new Date(0) });
    const { open } = await ensureCertificate(context, { patient: true }, none);
    expect(open).toMatchObject([{ code: 'TLS_NAME' }]);
  });
});

describe('a site without accepted terms', () => {
  it('sends no request to an authority', async () => {
    const context = await serverWith({ mode: 'acme' });
    const { open } = await ensureCertificate(context, { force: true });
    expect(open).toMatchObject([
      { code: 'ACME_REFUSED', hint: expect.stringContaining('tls.accept_terms: true') },
    ]);
    expect(ran.filter((line) => line.startsWith('docker compose'))).toEqual([]);
  });
});

describe('a custom certificate', () => {
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

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemBundle } from '../../../../../appliance/server/host/download/route-environment.ts';
import { trustMeasure } from '../../../../../appliance/stages/route/trust/system-trust.ts';
import { CertificateAuthority } from '../../../../faulty-server/certificates.ts';
import { contextFor } from '../../../context.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { authorityHost, localFolder } from './authority-host.ts';

const [one, two] = ['one', 'two'].map((name) => `${new CertificateAuthority(name).cert.trim()}\n`);
const both = `${one}${two}`;
const update = 'update-ca-certificates';

describe('the certificate authorities of the site in the system store', () => {
  it('adds the certificate authorities of the site to the system store once', async () => {
    const host = authorityHost();
    const context = contextFor(host, { site: { ca: both } });
    expect(await trustMeasure.check(context)).toEqual([
      'trust the certificate authorities of the site',
    ]);
    await trustMeasure.apply(context);
    expect(readdirSync(host.path(localFolder))).toEqual([
      ...['landfall-site-1.crt', 'landfall-site-2.crt', 'own.crt'],
    ]);
    expect(readFileSync(host.path(systemBundle), 'utf8')).toContain(both);
    expect(await trustMeasure.check(context)).toEqual([]);
    await trustMeasure.apply(context);
    expect(host.ran).toEqual([update]);
    await trustMeasure.prove?.(context);
  });

  it('removes the authorities of the site with their links, and keeps other local authorities', async () => {
    const host = authorityHost();
    await trustMeasure.apply(contextFor(host, { site: { ca: both } }));
    const less = contextFor(host, { site: { ca: two } });
    expect(await trustMeasure.check(less)).toEqual([
      'update the certificate authorities of the system',
    ]);
    await trustMeasure.apply(less);
    expect(readFileSync(host.path(systemBundle), 'utf8')).not.toContain(one);
    await trustMeasure.apply(contextFor(host));
    expect(readdirSync(host.path(localFolder))).toEqual(['own.crt']);
    expect(readdirSync(host.path('etc/ssl/certs'))).toEqual(['ca-certificates.crt', 'own.pem']);
  });

  it('adds the authorities of the site again when an interrupted run wrote only the files', async () => {
    const host = authorityHost({ [`${localFolder}/landfall-site-1.crt`]: one ?? '' });
    writeFileSync(host.path(systemBundle), '');
    const context = contextFor(host, { site: { ca: one } });
    expect(await trustMeasure.check(context)).toHaveLength(1);
    await trustMeasure.apply(context);
    expect(host.ran).toEqual([update]);
  });

  it("replace cloud-init's copies, and leave its other authorities", async () => {
    const files = {
      [`${localFolder}/cloud-init-ca-cert-1.crt`]: one?.trim() ?? '',
      [`${localFolder}/cloud-init-ca-cert-2.crt`]: two ?? '',
    };
    const host = authorityHost(files);
    await trustMeasure.apply(contextFor(host, { site: { ca: one } }));
    expect(readdirSync(host.path(localFolder))).toEqual([
      ...['cloud-init-ca-cert-2.crt', 'landfall-site-1.crt', 'own.crt'],
    ]);
  });

  it('reports authorities of the site that the system bundle lacks', async () => {
    const host = authorityHost();
    const context = contextFor(host, { site: { ca: one } });
    await trustMeasure.apply(context);
    writeFileSync(host.path(systemBundle), '');
    await expect(trustMeasure.prove?.(context)).rejects.toMatchObject({ code: 'ROUTE_BLOCKED' });
  });

  it('change nothing on a server whose site has none', async () => {
    const host = TemporaryHost.with({});
    const context = contextFor(host);
    expect(await trustMeasure.check(context)).toEqual([]);
    await trustMeasure.apply(context);
    await trustMeasure.prove?.(context);
    expect(existsSync(host.path(localFolder))).toBe(false);
  });
});

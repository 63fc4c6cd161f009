import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { trustBundle } from '../../../../appliance/server/certificates/trust.ts';
import { readCertificates } from '../../../../appliance/shared/http/certificates.ts';
import { renderEngine } from '../../../../appliance/stages/stack/components/engine/configuration.ts';
import { authorityOf } from '../../../../appliance/stages/tls/authority.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { stackInput } from '../../stages/stack/stack-input.ts';

const [ca, other] = ['site', 'acme'].map((name) => new CertificateAuthority(name).cert);

describe('the certificate authorities for containers', () => {
  it('bundles the certificate authorities of the site and the public ones for containers', () => {
    const certificates = readCertificates(trustBundle({ ca }) ?? '');
    expect(certificates).toEqual([ca?.trim(), ...rootCertificates.map((pem) => pem.trim())]);
  });

  it('writes no bundle of certificate authorities by default', () => {
    expect(trustBundle({})).toBeUndefined();
    expect(renderEngine(stackInput()).map(({ path }) => path)).toEqual(['engine/secrets.env']);
  });

  it('writes the certificate authorities into a file of Ollama', () => {
    expect(renderEngine(stackInput({ ca }))[1]).toMatchObject({
      path: 'engine/ca.pem',
      content: trustBundle({ ca }),
    });
  });

  it('gives lego the authorities of the site, beside the CA of its ACME server', () => {
    const siteOf = (settings: object, server?: object) =>
      stackInput({ ...settings, tls: { mode: 'acme', accept_terms: true, server } }).site;
    const server = { url: 'https://acme.example/directory', ca: other };
    expect(authorityOf(siteOf({}))?.ca).toBeUndefined();
    expect(authorityOf(siteOf({}, server))?.ca).toBe(other);
    expect(authorityOf(siteOf({ ca }))?.ca).toBe(trustBundle({ ca }));
    expect(authorityOf(siteOf({ ca }, server))?.ca).toBe(
      `${other?.trim()}\n${trustBundle({ ca })}`,
    );
  });
});

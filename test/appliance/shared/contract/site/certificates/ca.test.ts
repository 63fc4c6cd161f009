import { describe, expect, it } from 'vitest';
import { siteCertificates } from '#contract/site/certificates/ca.ts';
import { siteSchema } from '#contract/site/site.ts';
import { CertificateAuthority } from '../../../../../faulty-server/certificates.ts';

const ca = siteSchema.shape.ca;
const authority = new CertificateAuthority();
const other = new CertificateAuthority('other');

function messageOf(text: string): string | undefined {
  return ca.safeParse(text).error?.issues[0]?.message;
}

describe('the certificate authorities of a site', () => {
  it('splits the certificate authorities of a site into PEM texts, without duplicates', () => {
    const text = ca.parse(`${authority.cert}\n${other.cert.trim()}\n${authority.cert}`);
    expect(siteCertificates({ ca: text })).toEqual(
      [authority, other].map(({ cert }) => `${cert.trim()}\n`),
    );
    expect(siteCertificates({})).toEqual([]);
  });

  it.each([
    ['the certificate of a server', authority.issue().cert],
    ['a CA beside the certificate of a server', `${other.cert}\n${authority.issue().cert}`],
    ['trailing data in a certificate', authority.cert.replace('-----END', 'AAAA\n-----END')],
    ['a certificate that is not DER', authority.cert.replace(/\nMI/, '\nAA')],
  ])('rejects certificates of a site that are not valid CA certificates: %s', (_kind, text) => {
    expect(messageOf(text)).toBe(
      'must contain only CA certificates (basicConstraints with CA:TRUE)',
    );
  });

  it.each([
    ['no certificate', ''],
    ['text between certificates', `${authority.cert}\n# a comment\n${other.cert}`],
    ['a quote', authority.cert.replace('\nM', "\n'")],
  ])('rejects text that is not certificates in PEM as authorities of a site: %s', (_kind, text) => {
    expect(messageOf(text)).toBe('must be one or more certificates in PEM');
  });

  it('rejects certificate authorities of a site with a private key', () => {
    expect(messageOf(`${authority.cert}\n${authority.issue().key}`)).toContain('private key');
  });

  it('rejects certificate authorities of a site with more than 16,384 characters', () => {
    expect(messageOf(`${authority.cert}\n`.repeat(40))).toMatch(/16384/);
  });
});

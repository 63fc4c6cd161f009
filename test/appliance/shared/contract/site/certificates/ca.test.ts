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
  it('are split into one PEM text each, without duplicates', () => {
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
  ])('are rejected: %s', (_kind, text) => {
    expect(messageOf(text)).toBe(
      'must contain only CA certificates (basicConstraints with CA:TRUE)',
    );
  });

  it.each([
    ['no certificate', ''],
    ['text between certificates', `${authority.cert}\n# a comment\n${other.cert}`],
    ['a quote', authority.cert.replace('\nM', "\n'")],
  ])('are rejected: %s', (_kind, text) => {
    expect(messageOf(text)).toBe('must be one or more certificates in PEM');
  });

  it('are rejected with a private key', () => {
    expect(messageOf(`${authority.cert}\n${authority.issue().key}`)).toContain('private key');
  });

  it('have at most 16,384 characters', () => {
    expect(messageOf(`${authority.cert}\n`.repeat(40))).toMatch(/16384/);
  });
});

import type { Settings } from './options.ts';

/** A TLS failure with its hints. */
interface TlsFailure {
  readonly text: string;
  readonly hint: Readonly<Record<Settings, string>>;
}

const anywhere = (hint: string) => ({ command: hint, site: hint });

const wrongTime: TlsFailure = {
  text: 'the certificate is expired or not yet valid',
  hint: anywhere(
    'Check the clock of this machine; if it is correct, renew the certificate of the server.',
  ),
};
const wrongName: TlsFailure = {
  text: 'the certificate is for another host name',
  hint: anywhere('Check the host name, and check the network for a filter or a captive portal.'),
};
const unknownAuthority: TlsFailure = {
  text: 'untrusted certificate authority',
  hint: {
    command:
      'Pass the certificate of your own authority with --ca; otherwise the connection may be intercepted.',
    site: 'Put the certificate of your own authority into /usr/local/share/ca-certificates and run `update-ca-certificates`; otherwise the connection may be intercepted.',
  },
};
const noHandshake: TlsFailure = {
  text: 'the TLS handshake failed',
  hint: anywhere('Check the port, and check that the server supports https.'),
};

/** Returns the TLS failure of an OpenSSL verification code or a Node TLS code, if it is one. */
export function tlsFailure(code: string): TlsFailure | undefined {
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return wrongTime;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'UND_ERR_PRX_TLS') return wrongName;
  if (/^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|INVALID_CA|INVALID_PURPOSE)/.test(code)) {
    return unknownAuthority;
  }
  return /^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code) ? noHandshake : undefined;
}

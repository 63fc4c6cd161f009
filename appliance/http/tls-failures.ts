import type { Settings } from './options.ts';

/** Why a server is not trusted, and what to do about it. */
interface TlsFailure {
  readonly text: string;
  readonly hint: Readonly<Record<Settings, string>>;
}

const anywhere = (hint: string) => ({ command: hint, site: hint });

const wrongTime: TlsFailure = {
  text: 'its certificate is not valid at this time',
  hint: anywhere(
    'Check the clock of this machine; if it is right, the server needs a new certificate.',
  ),
};
const wrongName: TlsFailure = {
  text: 'its certificate is for another name',
  hint: anywhere('Check the name; a filter or captive portal on the way answers like this too.'),
};
const unknownAuthority: TlsFailure = {
  text: 'its certificate comes from an authority that is not trusted',
  hint: {
    command:
      'If the authority is your own, give its certificate with --ca; otherwise somebody may be listening in.',
    site: 'If the authority is your own, put its certificate into /usr/local/share/ca-certificates and run `update-ca-certificates`; otherwise somebody may be listening in.',
  },
};
const noHandshake: TlsFailure = {
  text: 'the TLS handshake failed',
  hint: anywhere('Check the port, and whether the server speaks https at all.'),
};

/** What a code of OpenSSL's certificate verification or of Node's TLS means, if it is one. */
export function tlsFailure(code: string): TlsFailure | undefined {
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return wrongTime;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'UND_ERR_PRX_TLS') return wrongName;
  if (/^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|INVALID_CA|INVALID_PURPOSE)/.test(code)) {
    return unknownAuthority;
  }
  return /^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code) ? noHandshake : undefined;
}

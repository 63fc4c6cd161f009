import type { ErrorCode } from '#contract/errors.ts';

interface ProblemKind {
  readonly code: ErrorCode;
  readonly hint: string;
}

const kind = (code: ErrorCode, hint: string): ProblemKind => ({ code, hint });
const challenge = (hint: string) => kind('ACME_CHALLENGE', hint);
const refused = (hint: string) => kind('ACME_REFUSED', hint);
const unavailable = (hint: string) => kind('ACME_UNREACHABLE', hint);

const badName = refused(
  'The authority does not certify this name: use one of your own domain, or mode: internal.',
);
const badContact = refused('Set admin.email to an address that receives mail.');
const badAccount = refused(
  'The account is not valid there any more: remove /var/lib/landfall/acme/config/accounts, then run: sudo landfall tls renew',
);
const passing = unavailable('Request it at once: sudo landfall tls renew');

/** What to do about each type of problem that an ACME authority gives (RFC 8555, 6.7). */
export const problemKinds: ReadonlyMap<string, ProblemKind> = new Map([
  [
    'connection',
    challenge(
      "Port 80 must answer from the internet: look at the provider's firewall and at the DNS record's address, AAAA too.",
    ),
  ],
  [
    'unauthorized',
    challenge(
      'Another server answered under this name: point its DNS records, AAAA too, to this one.',
    ),
  ],
  ['incorrectResponse', challenge('Another server answered: point the DNS records to this one.')],
  [
    'dns',
    challenge(
      'The name has no A or AAAA record that the internet sees, or its DNS fails: make it.',
    ),
  ],
  ['unknownHost', challenge('The name has no A or AAAA record that the internet sees: make it.')],
  ['dnssec', challenge('The signatures of the DNS zone are broken: mend them or turn DNSSEC off.')],
  [
    'caa',
    challenge(
      'The CAA record of the domain names other authorities only: add this one, or remove it.',
    ),
  ],
  ['tls', challenge('A redirect led to a broken TLS: nothing else may answer for this name.')],
  ['rejectedIdentifier', badName],
  ['unsupportedIdentifier', badName],
  ['malformed', badName],
  ['badCSR', badName],
  ['invalidEmail', badContact],
  ['invalidContact', badContact],
  ['unsupportedContact', badContact],
  ['accountDoesNotExist', badAccount],
  [
    'userActionRequired',
    refused("The authority's terms have changed: read them, then run: sudo landfall tls renew"),
  ],
  [
    'externalAccountRequired',
    refused('This authority wants an account that was made before; use one that does not.'),
  ],
  ['badNonce', passing],
  ['serverInternal', passing],
  ['orderNotReady', passing],
]);

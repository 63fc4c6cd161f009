import type { PeerCertificate } from 'node:tls';

/** The fields of Node's network and TLS errors that appear in Go's messages. */
interface NetworkError {
  readonly code?: string;
  readonly message?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  readonly cert?: PeerCertificate;
  readonly errors?: readonly NetworkError[];
}

const unverified = 'tls: failed to verify certificate: x509: ';

/**
 * Go's messages (`net`, `crypto/tls`, `crypto/x509`, `net/http/transport.go`) by Node's error code.
 */
const texts: Readonly<Record<string, (error: NetworkError, host: string) => string>> = {
  ECONNREFUSED: (error) => `dial tcp ${addressOf(error)}: connect: connection refused`,
  EHOSTUNREACH: (error) => `dial tcp ${addressOf(error)}: connect: no route to host`,
  ENETUNREACH: (error) => `dial tcp ${addressOf(error)}: connect: network is unreachable`,
  ETIMEDOUT: (error) => `dial tcp ${addressOf(error)}: i/o timeout`,
  ENOTFOUND: (_, host) => `dial tcp: lookup ${host}: no such host`,
  EAI_AGAIN: (_, host) => `dial tcp: lookup ${host}: server misbehaving`,
  ECONNRESET: () => 'read: connection reset by peer',
  UND_ERR_SOCKET: () => 'EOF',
  DEPTH_ZERO_SELF_SIGNED_CERT: () => `${unverified}certificate signed by unknown authority`,
  SELF_SIGNED_CERT_IN_CHAIN: () => `${unverified}certificate signed by unknown authority`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => `${unverified}certificate signed by unknown authority`,
  CERT_HAS_EXPIRED: () => `${unverified}certificate has expired or is not yet valid`,
  CERT_NOT_YET_VALID: () => `${unverified}certificate has expired or is not yet valid`,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ cert }, host) =>
    `${unverified}certificate is valid for ${namesOf(cert)}, not ${host}`,
  ERR_SSL_WRONG_VERSION_NUMBER: () => 'http: server gave HTTP response to HTTPS client',
};

/** Returns Go's message for a failed `fetch`. */
export function goNetworkError(error: unknown, { hostname }: URL): string {
  const outer = (error as { cause?: NetworkError }).cause ?? (error as NetworkError);
  const cause = outer.errors?.at(-1) ?? outer;
  return texts[cause.code ?? '']?.(cause, hostname) ?? cause.message ?? String(error);
}

/** Returns Go's message for a failed file operation: `write /path: no space left on device`. */
export function goFileError(error: unknown, path: string): Error {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const cause = code === 'ENOSPC' ? 'no space left on device' : undefined;
  return cause ? new Error(`${syscall} ${path}: ${cause}`) : (error as Error);
}

/** Returns Go's message for a document that is not JSON (`encoding/json`), by its first byte. */
export function goJsonError(text: string): Error {
  const first = text.trimStart().slice(0, 1);
  if (first === '' || '{['.includes(first)) return new Error('unexpected end of JSON input');
  return new Error(`invalid character '${first}' looking for beginning of value`);
}

function addressOf({ address = '', port = 0 }: NetworkError): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

function namesOf(certificate: PeerCertificate | undefined): string {
  const names = certificate?.subjectaltname?.split(', ') ?? [];
  return names.map((name) => name.replace(/^(DNS|IP Address):/, '')).join(', ');
}

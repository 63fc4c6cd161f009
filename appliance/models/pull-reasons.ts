import type { ErrorCode } from '#contract/errors.ts';

/** Why a pull failed. */
interface PullReason {
  /** What Ollama says. */
  readonly words: RegExp;
  /** Where Ollama, or Go below it, says so. */
  readonly source: string;
  readonly code?: ErrorCode;
  /** Follows `cannot pull <model> from <host>: `. */
  readonly cause: string;
  readonly hint: string;
  /** Whether the same pull may work a little later; then it is retried automatically. Default: no. */
  readonly retriable?: boolean;
}

const offline = 'Check the network, or set mirrors.models to a mirror that the server can reach.';
const untrusted =
  'Bypass the proxy that inspects TLS, or set mirrors.models to a mirror with a publicly trusted certificate.';
const nameAndTag = 'Check the name and the tag at https://ollama.com/library.';
const anonymous = 'Use a mirror that allows anonymous pulls.';
/** `429: <body>`, of the manifest with `pull model manifest: ` in front. */
const withStatus = (status: string) => new RegExp(`^(?:pull model manifest: )?${status}(?:: |$)`);

/**
 * Ollama reports a failed pull as text only, so the text decides here (versions 0.32 and 0.33). The
 * first match counts. Statuses come first: any text may follow them.
 */
export const pullReasons: readonly PullReason[] = [
  {
    words: /^(?:pull model manifest: )?400: .*HTTP request (?:was sent )?to (?:an )?HTTPS/s,
    source: 'net/http/server.go, and nginx',
    cause: 'the mirror requires HTTPS',
    hint: 'Write the mirror with https:// in front.',
  },
  {
    words: withStatus('401'),
    source: 'server/auth.go',
    cause: 'authentication required',
    hint: anonymous,
  },
  {
    words: withStatus('403'),
    source: 'server/images.go, makeRequestWithRetry',
    cause: 'access denied by the registry or a proxy',
    hint: anonymous,
  },
  {
    words: withStatus('404'),
    source: 'server/auth.go',
    cause: 'model or tag not found',
    hint: nameAndTag,
  },
  {
    words: withStatus('412'),
    source: 'server/images.go, makeRequestWithRetry',
    cause: 'the model requires a newer version of Ollama',
    hint: 'Install a newer release, or choose an older model.',
  },
  {
    words: withStatus('429'),
    source: 'server/images.go, makeRequestWithRetry',
    cause: 'rate-limited by the registry',
    hint: 'Wait some minutes, or set mirrors.models to a mirror.',
    retriable: true,
  },
  {
    words: withStatus('4\\d\\d'),
    source: 'server/images.go, makeRequestWithRetry',
    cause: 'the registry rejected the request',
    hint: 'Check the mirror, and the proxy on the way to it.',
  },
  {
    words: withStatus('5\\d\\d'),
    source: 'server/images.go, makeRequestWithRetry',
    cause: 'the registry failed',
    hint: 'Wait some minutes, or set mirrors.models to a mirror.',
    retriable: true,
  },
  {
    words: /no space left on device/,
    source: 'os',
    code: 'DISK_FULL',
    cause: 'no space left on the disk',
    hint: 'Free some space, or choose a smaller model. Downloaded parts are kept.',
  },
  {
    words:
      /^(?:open|mkdir|write|rename|remove) [^"]*: (?:permission denied|read-only file system)$/,
    source: 'os',
    cause: 'Ollama cannot write to its volume',
    hint: 'Check the volume: sudo docker volume inspect landfall_engine-data',
  },
  {
    words: /server gave HTTP response to HTTPS client/,
    source: 'net/http/transport.go',
    cause: 'the registry speaks plain HTTP',
    hint: 'Write the mirror with http:// in front.',
  },
  {
    words: /file does not exist|invalid model name/,
    source: 'server/images.go, server/routes.go',
    cause: 'model or tag not found',
    hint: nameAndTag,
  },
  {
    words: /no Location header in response|unexpected status code \d|maximum redirects exceeded/,
    source: 'server/download.go',
    cause: 'the registry does not redirect blobs as Ollama requires',
    hint: 'Use a mirror that redirects blobs with status 307 to another host name, or remove mirrors.models.',
  },
  {
    words: /looking for beginning of value|unexpected end of JSON input|cannot unmarshal/,
    source: 'server/images.go, encoding/json',
    cause: 'the response is not a model manifest',
    hint: 'Log in to the captive portal of the network, or bypass the proxy that responds for this host.',
  },
  {
    words: /requires MLX support/,
    source: 'server/images.go',
    cause: 'safetensors models do not run on this server',
    hint: 'Choose a tag of the model that is in GGUF format.',
  },
  {
    words: /unauthorized: access denied|realm host .* does not match/,
    source: 'server/images.go, server/auth.go',
    cause: 'authentication required',
    hint: anonymous,
  },
  {
    words: /x509: certificate has expired or is not yet valid/,
    source: 'crypto/x509/verify.go',
    cause: 'TLS certificate expired or not yet valid',
    hint: 'Check the clock of the server with timedatectl, then the certificate of the registry.',
  },
  {
    words: /x509: certificate is (?:not )?valid for|x509: cannot validate certificate for/,
    source: 'crypto/x509/verify.go',
    cause: 'TLS certificate for another name',
    hint: untrusted,
  },
  {
    words: /x509: |tls: /,
    source: 'crypto/tls, crypto/x509',
    cause: 'untrusted TLS certificate',
    hint: untrusted,
  },
  {
    words: /digest mismatch/,
    source: 'server/images.go',
    cause: 'digest mismatch of a downloaded blob',
    hint: 'Use another mirror, or none, if it happens again.',
    retriable: true,
  },
  {
    words: /proxyconnect tcp: /,
    source: 'net/http/transport.go',
    cause: 'proxy unreachable',
    hint: 'Start the proxy, or correct its address in the site.',
    retriable: true,
  },
  {
    words:
      /": (?:Proxy Authentication Required|Forbidden|Access denied|Filtered|Unable to connect|Bad Gateway|Service Unavailable)$/,
    source: 'net/http/transport.go',
    cause: 'the proxy refused the connection',
    hint: 'Allow this host, and the host that it redirects blobs to, at the proxy.',
    retriable: true,
  },
  {
    words: /no such host|lookup .*: (?:i\/o timeout|server misbehaving)|lookup .* on .*: /,
    source: 'net/dnsclient_unix.go',
    cause: 'host name not found in DNS',
    hint: 'Check the name and the DNS servers, or set mirrors.models to a mirror that the server can reach.',
    retriable: true,
  },
  {
    words: /connection refused/,
    source: 'syscall',
    cause: 'connection refused',
    hint: offline,
    retriable: true,
  },
  {
    words: /no route to host|network is unreachable/,
    source: 'syscall',
    cause: 'host unreachable',
    hint: offline,
    retriable: true,
  },
  {
    words: /i\/o timeout|handshake timeout|deadline exceeded|connection timed out|Client\.Timeout/,
    source: 'net, net/http, context',
    cause: 'request timed out',
    hint: offline,
    retriable: true,
  },
  {
    words: /connection reset by peer|broken pipe|EOF$|max retries exceeded/,
    source: 'syscall, io, server/download.go',
    cause: 'connection interrupted',
    hint: offline,
    retriable: true,
  },
];

import type { ErrorCode } from '#contract/errors.ts';

/** Why a pull failed. */
interface PullReason {
  /** What Ollama says. */
  readonly words: RegExp;
  readonly code?: ErrorCode;
  /** Follows `cannot pull <model> from <host>: `. */
  readonly cause: string;
  readonly hint: string;
  /** Whether the same pull may work a little later; then it is retried automatically. Default: no. */
  readonly retriable?: boolean;
}

/** `429: <body>`, of the manifest with `pull model manifest: ` in front; or any of `others`. */
const withStatus = (status: string, ...others: readonly string[]) =>
  new RegExp([`^(?:pull model manifest: )?${status}(?:: |$)`, ...others].join('|'));

/**
 * Ollama reports a failed pull as text only, so the text decides here (versions 0.32 and 0.33: server,
 * and net, crypto and encoding/json of Go). The first match counts. Statuses come first: any text may
 * follow them. The error quotes the text, so one reason may stand for several.
 */
export const pullReasons: readonly PullReason[] = [
  {
    words: /^(?:pull model manifest: )?400: .*HTTP request (?:was sent )?to (?:an )?HTTPS/s,
    cause: 'the mirror requires HTTPS',
    hint: 'Write the mirror with https:// in front.',
  },
  {
    words: withStatus('412'),
    cause: 'the model requires a newer version of Ollama',
    hint: 'Install a newer release, or choose an older model.',
  },
  {
    words: withStatus('429'),
    cause: 'rate-limited by the registry',
    hint: 'Wait some minutes, or set mirrors.models to a mirror.',
    retriable: true,
  },
  {
    words: withStatus('5\\d\\d'),
    cause: 'the registry failed',
    hint: 'Wait some minutes, or set mirrors.models to a mirror.',
    retriable: true,
  },
  {
    words: withStatus('40[13]', 'unauthorized: access denied', 'realm host .* does not match'),
    cause: 'authentication required, or access denied',
    hint: 'Use a mirror that allows anonymous pulls.',
  },
  {
    words: withStatus('404', 'file does not exist', 'invalid model name'),
    cause: 'model or tag not found',
    hint: 'Check the name and the tag at https://ollama.com/library.',
  },
  {
    words: withStatus('4\\d\\d'),
    cause: 'the registry rejected the request',
    hint: 'Check the mirror, and the proxy on the way to it.',
  },
  {
    words: /no space left on device/,
    code: 'DISK_FULL',
    cause: 'no space left on the disk',
    hint: 'Free some space, or choose a smaller model. Downloaded parts are kept.',
  },
  {
    words:
      /^(?:open|mkdir|write|rename|remove) [^"]*: (?:permission denied|read-only file system)$/,
    cause: 'Ollama cannot write to its volume',
    hint: 'Check the volume: sudo docker volume inspect landfall_engine-data',
  },
  {
    words: /server gave HTTP response to HTTPS client/,
    cause: 'the registry speaks plain HTTP',
    hint: 'Write the mirror with http:// in front.',
  },
  {
    words: /no Location header in response|unexpected status code \d|maximum redirects exceeded/,
    cause: 'the registry does not redirect blobs as Ollama requires',
    hint: 'Use a mirror that redirects blobs with status 307 to another host name, or remove mirrors.models.',
  },
  {
    words: /looking for beginning of value|unexpected end of JSON input|cannot unmarshal/,
    cause: 'the response is not a model manifest',
    hint: 'Log in to the captive portal of the network, or bypass the proxy that responds for this host.',
  },
  {
    words: /requires MLX support/,
    cause: 'safetensors models do not run on this server',
    hint: 'Choose a tag of the model that is in GGUF format.',
  },
  {
    words: /x509: |tls: /,
    cause: 'untrusted TLS certificate',
    hint: 'Check the clock of the server with timedatectl, and bypass the proxy that inspects TLS, or set mirrors.models to a mirror with a publicly trusted certificate.',
  },
  {
    words: /digest mismatch/,
    cause: 'digest mismatch of a downloaded blob',
    hint: 'Use another mirror, or none, if it happens again.',
    retriable: true,
  },
  {
    words:
      /proxyconnect tcp: |": (?:Proxy Authentication Required|Forbidden|Access denied|Filtered|Unable to connect|Bad Gateway|Service Unavailable)$/,
    cause: 'the proxy is unreachable, or refused the connection',
    hint: 'Start the proxy, and allow this host and the host that it redirects blobs to.',
    retriable: true,
  },
  {
    words: /no such host|lookup .*: (?:i\/o timeout|server misbehaving)|lookup .* on .*: /,
    cause: 'host name not found in DNS',
    hint: 'Check the name and the DNS servers, or set mirrors.models to a mirror that the server can reach.',
    retriable: true,
  },
  {
    words:
      /connection (?:refused|timed out|reset by peer)|no route to host|network is unreachable|i\/o timeout|handshake timeout|deadline exceeded|Client\.Timeout|broken pipe|EOF$|max retries exceeded/,
    cause: 'connection failed',
    hint: 'Check the network, or set mirrors.models to a mirror that the server can reach. Downloaded parts are kept.',
    retriable: true,
  },
];
